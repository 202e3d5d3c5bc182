"""Paths on disk as URIs and back: whatever bytes a name is of, and whatever signs are in it."""

from __future__ import annotations

import os
from urllib.parse import quote, unquote, unquote_to_bytes, urlsplit

from pygls.uris import from_fs_path, to_fs_path


def path_of(uri: str) -> str | None:
    """The path that a URI names; None where it names none that could be on disk."""
    try:
        parts = urlsplit(uri)
        if os.name == "nt":
            return to_fs_path(uri)
    except ValueError:
        return None
    if parts.scheme != "file":
        return None
    path = os.fsdecode(unquote_to_bytes(parts.path.encode("utf-8", "surrogatepass")))
    host = unquote(parts.netloc, errors="surrogateescape")
    if "\0" in path + host:
        return None
    return path if host in ("", "localhost") else f"//{host}{path}"


def uri_of(path: str) -> str:
    """The URI of a path."""
    return (from_fs_path(path) or "") if os.name == "nt" else "file://" + quote(os.fsencode(path))


def name_of(uri: str) -> str:
    """What a document is called that lies nowhere on disk."""
    path = unquote(uri.partition(":")[2].partition("?")[0].partition("#")[0])
    return path.encode("utf-8", "replace").decode().replace("\0", "")
