"""The judges: (policy, material) to findings. They do not know each other."""
