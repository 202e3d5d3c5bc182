"""The judgement: run the checks, correlate, suppress, and say what was looked at."""

from sakaime.judge.judge import judge

__all__ = ["judge"]
