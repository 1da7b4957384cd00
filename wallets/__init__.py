"""The cage: money, and the only pen that moves it."""
