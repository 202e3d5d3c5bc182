"""Reading single files where other people may have a hand in what lies there."""

from __future__ import annotations

import os
import stat

_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class NotRegularError(OSError):
    """A symlink, a folder, a device, or a file larger than it may be."""


def read_regular(path: str, most: int) -> bytes:
    """The bytes of a regular file of at most `most` bytes.

    Raises `NotRegularError`, or `OSError` as `open` does.
    """
    if stat.S_ISLNK(os.lstat(path).st_mode):  # where the system has no O_NOFOLLOW
        raise NotRegularError("is a symlink")
    with open(os.open(path, _READ), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise NotRegularError("is not a regular file")
        data = file.read(most + 1)
    if len(data) > most:
        raise NotRegularError(f"is larger than {most >> 20} MiB")
    return data
