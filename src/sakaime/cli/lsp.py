"""`sakaime lsp`: the language server, on standard input and output."""

from __future__ import annotations

from sakaime.model import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

HELP = "start the language server on standard input and output"


def add_arguments(parser: ArgumentParser) -> None:
    """The options that editors add by themselves; standard input and output is all there is."""
    parser.add_argument("--stdio", action="store_true", help="accepted, because editors pass it; this is the only way")
    parser.add_argument("--clientProcessId", metavar="PID", help="accepted, because editors pass it; has no effect")


def run(options: Namespace) -> int:  # noqa: ARG001
    """Serves one client until it says exit or closes the pipe."""
    try:
        from sakaime.lsp.serve import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol", "attrs", "cattrs", "attr"):
            raise
        raise UserError(
            f"the language server needs {error.name}, which is not installed",
            way_out="Install it: pip install 'sakaime[lsp]'",
        ) from None
    serve()
    return 0
