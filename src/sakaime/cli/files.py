"""Writing files so that nobody ever sees half of one."""

from __future__ import annotations

import os

from sakaime.model import UserError


def write_whole(path: str, data: bytes) -> None:
    """Writes a file through a temporary one beside it. Raises `UserError` when it cannot be written."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError as error:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise UserError(f"cannot be written: {error.strerror}", path=path) from None
