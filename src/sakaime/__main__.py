"""``python -m sakaime``: the command line without its script."""

from sakaime.cli.main import program

if __name__ == "__main__":
    program()
