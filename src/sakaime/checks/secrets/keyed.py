"""Digests of secrets that nobody can try values against: made with a key that only the organisation has."""

from __future__ import annotations

import os

KEY = "SAKAIME_KEY"  # the environment variable that holds it


def key() -> str:
    """The key; empty where there is none. Blanks around it are no part of it: files of secrets end with a line end."""
    return os.environ.get(KEY, "").strip()


def digest(value: str) -> str:
    """The HMAC-SHA256 of a value, in hex; empty where there is no key.

    Without a key nothing is made: a plain hash of a password gives it back to whoever tries a list of them.
    """
    secret = key()
    if not secret:
        return ""
    import hmac

    return hmac.new(
        secret.encode("utf-8", "surrogateescape"), value.encode("utf-8", "surrogatepass"), "sha256"
    ).hexdigest()
