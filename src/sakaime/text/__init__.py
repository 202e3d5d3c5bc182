"""What characters are: bytes to text, lines and positions, segments, views with maps back."""
