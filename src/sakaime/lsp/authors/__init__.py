"""What the editor offers to authors of packs and settings."""
