"""What is known of every open document: settled where it was judged as a whole, else moved along from there."""

from __future__ import annotations

import gc
import hashlib
import itertools
import logging
import time

from sakaime.lsp.diagnose import decoded, judge_text
from sakaime.lsp.document import Document
from sakaime.lsp.home import Home, Old, Ruling, home_of, is_message, kind_of
from sakaime.lsp.known import Judged, Known
from sakaime.lsp.layout import Layout
from sakaime.lsp.notebooks import cells, ended
from sakaime.lsp.quick import moved_along, moved_mistakes
from sakaime.lsp.shown import diagnostics, mistake, note, written
from sakaime.model import CannotJudge, Record, SakaimeError
from sakaime.text.source import Undecodable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from lsprotocol import types

    from sakaime.lsp.authors import Mistake
    from sakaime.lsp.home import Bases, Rulings

AUTHORED = (".yaml", ".yml", ".toml", ".lock")  # how the names of packs, settings and locks end
LARGEST = 8 << 20  # code points of a document that is judged while it is open
_AT_ONCE = 0.008  # seconds that a judgement may take between two keystrokes
_TINY = 4_000  # code points that are judged in that time anyway: the first judgement has words to load
_log = logging.getLogger("sakaime")
_numbers = itertools.count()


class Client(Record):
    """What of a client decides how it is answered: the units of its columns, and whether it shows related places and
    makes the codes of findings links."""

    encoding: str
    related: bool = False
    links: bool = False


class Deciding(Record):
    """What decides about a document, beside its text, and which version of that is meant (see `Answer`)."""

    uri: str
    home: Home
    ruling: Ruling
    old: Old
    base: str
    message: bool
    trusted: bool = True
    cell: bool = False
    version: int | None = None
    revision: int | None = None
    unknown: CannotJudge | None = None  # why there is no old side to compare with

    @property
    def key(self) -> tuple[str, str, str, str, bool]:
        """What changes when the answer has to be another one."""
        return self.ruling.policy.id.digest, self.ruling.seen, self.home.path, self.old.id, self.message


class Answer(Record):
    """What is known of a document in one version: the client's number of it, and the document's own `revision`. `id`
    is made of all that decides: the same id, the same diagnostics.

    `lines` are those of the text with their ends, `known_lines` those of the old side without (None: there is none).
    `settled`: the document was judged as a whole. `cost` is how many seconds of the processor that took.
    """

    id: str
    version: int | None
    revision: int | None
    key: tuple[str, str, str, str, bool]
    known: Known
    lines: tuple[str, ...]
    known_lines: frozenset[str] | None
    diagnostics: tuple[types.Diagnostic, ...]
    settled: bool
    mistakes: tuple[Mistake, ...] = ()
    cost: float = 0.0


def deciding(bases: Bases, rulings: Rulings, document: Document, path: str | None, cell: bool) -> Deciding:
    """What decides about a document now. `path` is where it lies on disk (None: nowhere), of a `cell` the notebook.

    Where git does not answer, there is no old side: then every line is judged, which is never too little. Raises
    `SakaimeError` when not even the shipped rules can be read.
    """
    home = home_of(path, document.path, document.language_id)
    unknown = None
    try:
        old = bases.old(home)
    except CannotJudge as error:
        old, unknown = Old(None), error
    if cell:
        old = old.replace(data=None if old.data is None else cells(old.data))
        home = home.replace(path=f"{home.path}.{kind_of(document.language_id)}")
    return Deciding(
        uri=document.uri,
        home=home,
        ruling=rulings.of(home),
        old=old,
        base=bases.name(home.root),
        message=is_message(document.language_id, path),
        trusted=rulings.trusted,
        cell=cell,
        version=document.version,
        revision=document.revision,
        unknown=unknown,
    )


def settled(by: Deciding, lines: Sequence[str], client: Client) -> Answer:
    """The judgement of a whole document. A failure becomes a diagnostic: silence would read as clean."""
    text = "".join(lines)
    start = time.thread_time()
    old = by.old.data if by.old.data is None else decoded(by.old.data)
    policy = by.ruling.policy
    try:
        if len(text) > LARGEST:
            judged = Judged((), f"larger than {LARGEST >> 20} MiB; `sakaime check {by.home.path}` judges it")
        else:
            judged = judge_text(policy, by.home.path, by.old.data, ended(text) if by.cell else text, by.message)
    except (SakaimeError, Undecodable) as error:
        judged = Judged((), error.message if isinstance(error, SakaimeError) else str(error))
    except Exception as error:
        _log.error("%s: %s: %s", by.home.path, type(error).__name__, error)
        _log.debug("traceback", exc_info=True)
        judged = Judged((), f"an error inside sakaime ({type(error).__name__}: {error})")
    known = Known(by.home.path, text, old, by.message, policy, judged, by.home.root, by.base)
    layout = Layout(lines, client.encoding)
    shown = diagnostics(by.uri, known, layout, client.related, client.links)
    mistakes = _mistakes(by, text)
    if mistakes is not None:
        shown += written(mistakes, layout)
    elif (wrong := by.ruling.mistake) is not None:
        shown += [mistake(one) for one in (wrong, *wrong.others) if one.path == by.home.path]
    _keep_what_was_loaded(policy.id.digest)
    digest = hashlib.sha256(repr((by.key, client)).encode("utf-8", "surrogatepass"))
    digest.update(text.encode("utf-8", "surrogatepass"))
    known_lines = None if old is None else frozenset(old.replace("\r\n", "\n").split("\n"))
    cost = time.thread_time() - start
    return Answer(
        id=digest.hexdigest(),
        version=by.version,
        revision=by.revision,
        key=by.key,
        known=known,
        lines=tuple(lines),
        known_lines=known_lines,
        diagnostics=tuple(shown),
        settled=True,
        mistakes=mistakes or (),
        cost=cost,
    )


_loaded: set[str] = set()


def _keep_what_was_loaded(policy: str) -> None:
    """Rules, words and parsers, which the first judgement by a policy loads, stay: the collector, which would look at
    all of them in the middle of later judgements, takes longer for that than a judgement does."""
    if policy not in _loaded:
        _loaded.add(policy)
        gc.collect()
        gc.freeze()


def at_once(last: Answer, size: int) -> bool:
    """Whether a document of so many code points can be judged as a whole between two keystrokes, as far as the last
    time tells."""
    return size <= _TINY or last.cost * max(1.0, size / max(1, len(last.known.text))) < _AT_ONCE


def moved(last: Answer, by: Deciding, lines: Sequence[str], client: Client, judges: bool) -> Answer:
    """What is known of a document that changed since it was judged as a whole; with `judges`, of the changed lines
    as well."""
    path, policy = by.home.path, by.ruling.policy
    try:
        judged = moved_along(policy, path, last.known.judged, last.lines, lines, last.known_lines, judges)
    except Exception as error:  # the whole document is judged soon, and says so if that fails as well
        _log.error("%s: %s: %s", path, type(error).__name__, error)
        judged = moved_along(policy, path, last.known.judged, last.lines, lines, last.known_lines, False)
    known = last.known.replace(text="".join(lines), judged=judged, policy=policy)
    mistakes = moved_mistakes(last.mistakes, last.lines, lines) if last.mistakes else ()
    layout = Layout(lines, client.encoding)
    shown = (*diagnostics(by.uri, known, layout, links=client.links), *written(mistakes, layout))
    return last.replace(
        id=f"~{next(_numbers)}",
        version=by.version,
        revision=by.revision,
        key=by.key,
        known=known,
        lines=tuple(lines),
        diagnostics=shown,
        settled=False,
        mistakes=mistakes,
    )


def _mistakes(by: Deciding, text: str) -> tuple[Mistake, ...] | None:
    """What is wrong with a pack, settings or a lock as they are being written; None for any other document."""
    if not by.home.path.lower().endswith(AUTHORED):
        return None
    from sakaime.lsp.authors import Mistake, diagnose, kind  # what reads packs takes as long to load as all the rest

    root = by.home.root if by.trusted else None
    try:
        sort = kind(by.home.path, text, root)
        return tuple(diagnose(sort, root, by.home.path, text, by.ruling.policy)) if sort is not None else None
    except Exception as error:
        _log.error("%s: %s: %s", by.home.path, type(error).__name__, error)
        _log.debug("traceback", exc_info=True)
        return (Mistake(0, 0, f"an error inside sakaime ({type(error).__name__}: {error})"),)


def failed(path: str, reason: str) -> list[types.Diagnostic]:
    """What is said of a document that cannot be judged at all: silence would read as clean."""
    _log.error("%s: %s", path, reason)
    return [note(f"not judged: {reason}")]
