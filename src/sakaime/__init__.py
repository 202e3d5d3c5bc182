"""sakaime: the checkpoint a diff passes before it is reviewed."""

__version__ = "0.1.0"
