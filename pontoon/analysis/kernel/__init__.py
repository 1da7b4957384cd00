"""The compiled kernel: a rule set and a strategy become tables, and machine code walks them."""
