"""Which items of two sides are the same, and what was lost."""
