"""The eye: what happened, who did it, and that nobody changed it since."""
