"""How a judgement is told: one module per format, each with `render(judgement, context) -> str`."""

from __future__ import annotations

from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sakaime.model import Judgement
    from sakaime.policy.policy import Policy

FORMATS = {
    "text": "sakaime.report.text",
    "json": "sakaime.report.json",
    "sarif": "sakaime.report.sarif",
    "github": "sakaime.report.github",
    "gitlab": "sakaime.report.gitlab",
    "junit": "sakaime.report.junit",
    "rdjson": "sakaime.report.rdjson",
}
# Formats with no room for what was looked at, skipped and allowed: that is said beside the report.
BESIDE = ("gitlab", "rdjson")


class Context(Record):
    """What a format may say beyond the judgement.

    `policy` holds the rules, with their titles and reasons; `fail_on` is the least severity that fails the
    run (never: none does); `way_out` what a blocked run shows, ready to paste; `said` how the material was
    chosen, where the call did not say. `colour` is for a terminal.
    """

    policy: Policy | None = None
    fail_on: str = "warning"
    way_out: str = ""
    said: str = ""
    colour: bool = False


def renderer(name: str) -> Callable[[Judgement, Context], str]:
    """The `render` of a format of `FORMATS`."""
    # importlib would cost the text report a tenth of an interpreter start.
    render: Callable[[Judgement, Context], str] = __import__(FORMATS[name], fromlist=["render"]).render
    return render
