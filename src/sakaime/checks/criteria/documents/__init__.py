"""What criteria documents say, read into items: Markdown, configuration, code owners."""
