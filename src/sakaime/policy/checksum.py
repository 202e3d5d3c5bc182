"""Checksums that services put into their tokens."""

from __future__ import annotations

import binascii

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def github_checksum(body: str) -> str:
    """The last six characters of a token of GitHub: the CRC32 of those between, in base 62.

    https://github.blog/2021-04-05-behind-githubs-new-authentication-token-formats/
    """
    number, out = binascii.crc32(body.encode("ascii", "replace")), ""
    while number:
        number, digit = divmod(number, 62)
        out = _BASE62[digit] + out
    return out.rjust(6, "0")
