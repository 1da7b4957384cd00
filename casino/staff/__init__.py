"""The people of the house: who they are and what each may do."""
