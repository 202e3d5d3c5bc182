"""What the words of an item amount to, and which way the value of a setting points."""
