"""What is ruled: packs, settings, the floor, and the compiled policy."""
