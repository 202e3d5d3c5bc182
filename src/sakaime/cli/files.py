"""Writing files so that nobody ever sees half of one."""

from __future__ import annotations

import os

from sakaime.model import UserError


def write_whole(path: str, data: bytes, executable: bool = False) -> None:
    """Writes a file through a temporary one beside it; the rights of one that is there stay.

    Raises `UserError` when it cannot be written.
    """
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            file.write(data)
        if os.path.exists(path):
            os.chmod(temporary, os.stat(path).st_mode & 0o7777)
        if executable:
            os.chmod(temporary, os.stat(temporary).st_mode | 0o111)
        os.replace(temporary, path)
    except OSError as error:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise UserError(f"cannot be written: {error.strerror}", path=path) from None
