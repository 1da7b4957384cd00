"""The door: who may play at all, whatever the game."""
