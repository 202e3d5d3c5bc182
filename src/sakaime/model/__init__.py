"""The types that every room shares. Imports nothing of the other rooms."""

from sakaime.model.coverage import Coverage, Defect, Risk, Shield, Stretch
from sakaime.model.errors import CannotJudge, NotJudged, SakaimeError, UserError
from sakaime.model.finding import SEVERITIES, Finding, Related, at_least
from sakaime.model.judgement import Judgement, PackId, PolicyId, Scope, Skipped
from sakaime.model.record import Record
from sakaime.model.span import Position, Span

__all__ = [
    "SEVERITIES",
    "CannotJudge",
    "Coverage",
    "Defect",
    "Finding",
    "Judgement",
    "NotJudged",
    "PackId",
    "PolicyId",
    "Position",
    "Record",
    "Related",
    "Risk",
    "SakaimeError",
    "Scope",
    "Shield",
    "Skipped",
    "Span",
    "Stretch",
    "UserError",
    "at_least",
]
