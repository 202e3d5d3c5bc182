"""What is told of a mistake, without the secret that may be the mistake: a token where a name should stand."""

from __future__ import annotations

import re

from sakaime.model import SakaimeError

_LIKE = re.compile(r"(?=\S*[0-9])(?=\S*[A-Za-z])\S{16,}")


def discreet(text: str) -> str:
    """A text for the terminal with every secret in it masked, as the packs that come with the program know them."""
    if not _LIKE.search(text):
        return text
    from sakaime.judge.masking import masking
    from sakaime.packs.inforce import policy_in_force

    try:
        return masking(policy_in_force("", lambda _: None))(text)
    except SakaimeError:  # the program itself is not whole, and says so wherever it is asked
        return text
