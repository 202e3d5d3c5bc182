"""SHA-256 without OpenSSL: `hashlib` loads it, which takes half as long as an interpreter to start."""

from __future__ import annotations

import sys

if sys.version_info >= (3, 12):
    try:
        from _sha2 import sha256  # type: ignore[import-not-found,unused-ignore]
    except ImportError:  # a Python built without it
        from hashlib import sha256
else:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        from hashlib import sha256

__all__ = ["sha256"]
