"""Commands of the eye."""
