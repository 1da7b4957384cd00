"""The mathematics of the games: pure functions of a rule set, with no framework and no database."""
