"""What is known of an open document, as plain values: every feature of the server reads it, none changes it.

All offsets are in code points of the document's text as the client has it, a byte order mark included.
"""

from __future__ import annotations

from sakaime.model import Finding, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.policy.policy import Policy


class Placed(Record):
    """A finding and the range of the document's text that it stands at."""

    finding: Finding
    start: int
    end: int


class Judged(Record):
    """What was found in a document. `unjudged` says why it could not be judged; None: it was."""

    findings: tuple[Placed, ...]
    unjudged: str | None = None


class Known(Record):
    """A document as it was judged.

    `path` is relative to `root`, the repository's folder (None: in no repository); `text` is what the client has, `old`
    the base side's (None: there is none); `base` is what the old side is called ("HEAD", "main"). With `message` it is
    the message of a commit.
    """

    path: str
    text: str
    old: str | None
    message: bool
    policy: Policy
    judged: Judged
    root: str | None = None
    base: str = "HEAD"


class Edit(Record):
    """What stands from `start` to `end` is replaced by `text`."""

    start: int
    end: int
    text: str


class Fix(Record):
    """A way to mend findings. One that is `safe` may be applied unasked with all others of a file (`source.fixAll`).

    `path` is the file that the edits are for, relative to the root; None: the document itself.
    """

    title: str
    edits: tuple[Edit, ...]
    findings: tuple[Placed, ...]
    safe: bool = False
    preferred: bool = False
    path: str | None = None


class Told(Record):
    """Something to be shown at a range: Markdown of a hover, or the title of a code lens."""

    start: int
    end: int
    text: str
    rule: str = ""
