"""What is judged: changes with readers for their two sides."""
