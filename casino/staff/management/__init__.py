"""What a person at a shell may do for the staff."""
