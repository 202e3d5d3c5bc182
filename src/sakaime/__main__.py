"""``python -m sakaime``: the command line without its script."""

import sys

from sakaime.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
