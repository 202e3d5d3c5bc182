"""The judgement: run the checks, correlate, and say what was looked at."""
