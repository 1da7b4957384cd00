"""What a person at a shell may do at the door."""
