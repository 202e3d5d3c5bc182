"""The command line: one module per command, imported only when it is called."""

from __future__ import annotations

import errno
import gc
import os
import sys

from sakaime.model import SakaimeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from typing import NoReturn

# Every module has HELP, add_arguments(parser) and run(options) -> exit code.
COMMANDS = {
    "check": "sakaime.cli.check",
    "rules": "sakaime.cli.rules",
    "explain": "sakaime.cli.explain",
    "criteria": "sakaime.cli.criteria",
    "coverage": "sakaime.cli.coverage",
    "init": "sakaime.cli.init",
    "baseline": "sakaime.cli.baseline",
    "brief": "sakaime.cli.brief",
    "pack": "sakaime.cli.pack",
    "lsp": "sakaime.cli.lsp",
    "demo": "sakaime.cli.demo",
}


_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def main(argv: list[str] | None = None) -> int:
    """Runs one command. Gives the exit code: 0 done, 1 findings, 2 a broken call, 3 could not judge."""
    arguments = sys.argv[1:] if argv is None else argv
    # A policy is many small objects, none of them garbage: to look for some took a fifth of a short run.
    gc.set_threshold(500_000)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever called
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # A file name or an excerpt may hold what the terminal's encoding cannot say.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    try:
        if arguments == ["check"]:  # what a hook calls; argparse alone would cost an interpreter start
            from sakaime.cli import check

            return check.run_default()
        return _parsed(arguments)
    except SakaimeError as error:
        sys.stdout.flush()
        _tell(error)
        return error.exit_code
    except BrokenPipeError:
        sys.stderr.close()
        return 141
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        sys.stderr.write(f"sakaime: what was found cannot be written: {error.strerror}\n")
        return 3


def program() -> NoReturn:
    """The command line as a program: it ends without taking the policy apart, which is a tenth of a short run."""
    code = main()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (BrokenPipeError, ValueError):  # nobody reads any more, or the stream is closed
        pass
    except OSError:
        code = 3
    os._exit(code)


def _tell(error: SakaimeError) -> None:
    from sakaime.cli.discreet import discreet

    print(f"sakaime: {discreet(str(error))}", file=sys.stderr)


def _parsed(arguments: list[str]) -> int:
    import argparse
    from importlib import import_module

    import sakaime

    parser = argparse.ArgumentParser(
        prog="sakaime", description="The checkpoint a diff passes before it is reviewed.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"sakaime {sakaime.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    named = next((a for a in arguments if not a.startswith("-")), None)
    wanted = {named: COMMANDS[named]} if named in COMMANDS else COMMANDS
    for name, module_name in wanted.items():
        module = import_module(module_name)
        command: ArgumentParser = commands.add_parser(
            name, help=module.HELP, description=module.HELP, allow_abbrev=False
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    options = parser.parse_args(arguments)
    code: int = options.run(options)
    return code
