"""Values that look live, made when they are needed, and the judgement of one file."""

from __future__ import annotations

import importlib.util
import random
import string
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml
from conftest import ROOT
from judging_fixtures import shipped_policy

from sakaime.judge import judge
from sakaime.material.change import Material
from sakaime.material.sources import buffer, whole_file
from sakaime.model import Finding
from sakaime.policy.examples import drawn

CASES = ROOT / "tests/secret_cases"


@lru_cache
def generator() -> ModuleType:
    """The program that makes the values of the cases."""
    spec = importlib.util.spec_from_file_location("generate", CASES / "generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def case(path: Path) -> tuple[dict[str, Any], str]:
    """A labelled case and the text of its file."""
    data: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return data, generator().expand(data)


def secrets_in(path: str, text: str, old: str | None = None) -> list[Finding]:
    """What is reported of the values of a file; only of what `old` has not, where there is one."""
    if old is None:
        material = Material("tree", (whole_file(path, text.encode()),))
    else:
        material = buffer(path, old.encode(), text.encode())
    return [finding for finding in judge(shipped_policy(), material).findings if finding.family == "secrets"]


_PASSWORD = "".join(c for c in string.ascii_letters + string.digits if c not in "0O1lI") + "!^*_+="


def random_secrets(count: int, seed: int = 7) -> list[tuple[str, str]]:
    """(name of its key, secret): tokens of services, hex, base64, passwords, signed tokens."""
    made = random.Random(seed)
    out = []
    for number in range(count):
        slot = (
            ("github_token", "ghp_@@github 36@@"),
            ("aws_access_key", "AKIA@@base32 16@@"),
            ("stripe_secret", "sk_live_@@base62 24@@"),
            ("slack_token", "xoxb-@@digits 12@@-@@digits 12@@-@@base62 24@@"),
            ("gitlab_token", "glpat-@@base62 20@@"),
            ("api_secret", "@@hex 40@@"),
            ("session_token", "@@jwt 43@@"),
        )[number % 7]
        if number % 14 == 5:
            password = "k7!W" + "".join(made.choices(_PASSWORD, k=16))
            out.append(("db_password", password))
        else:
            out.append((slot[0], drawn(slot[1], f"{seed}/{number}")))
    return out
