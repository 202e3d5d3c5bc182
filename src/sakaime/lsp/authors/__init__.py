"""What the editor offers to authors of packs, of settings and of the lock. Offsets are code points of the text."""

from sakaime.lsp.authors.complete import Completion, complete
from sakaime.lsp.authors.diagnose import Mistake, diagnose
from sakaime.lsp.authors.hover import hover, rule_told
from sakaime.lsp.authors.kinds import kind
from sakaime.lsp.authors.lenses import lenses
from sakaime.lsp.authors.study import Outcome, examples

__all__ = [
    "Completion",
    "Mistake",
    "Outcome",
    "complete",
    "diagnose",
    "examples",
    "hover",
    "kind",
    "lenses",
    "rule_told",
]
