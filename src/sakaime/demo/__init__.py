"""A real pull request, to show what is stopped."""
