"""What a person at a shell may ask of the table."""
