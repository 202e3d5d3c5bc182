"""A change that edits what decides about it turns the gate in no way; locally it is told that CI will judge."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import pytest
from conftest import Repo, sakaime
from packs_fixtures import pack_text
from trust_fixtures import NOTE, RULE, allow, fingerprint, in_range, judged, of, topic

from sakaime.packs import shipped
from sakaime.packs.manifest import MAIN, pack_tree
from sakaime.policy.compile import compile_policy
from sakaime.policy.pack import LoadedPack, read_pack
from sakaime.policy.policy import Policy
from sakaime.policy.settings import NOTHING
from sakaime.policy.soften import softenings

OFF = f'[rules."{RULE}"]\nenabled = false\nreason = "noise"\n'
BASELINE = (
    '{"sakaime": 1, "findings": [\n  {"rule": "en/claim", "path": "a.py", "fingerprint": "%s"}\n]}\n'  # %s: of the note
)


def own_allow(repo: Repo) -> None:
    repo.stage("sakaime.toml", allow(fingerprint(repo)))


def settings_off(repo: Repo) -> None:
    repo.stage("sakaime.toml", OFF)


def unjudged(repo: Repo) -> None:
    repo.stage("sakaime.toml", '[[unjudged]]\npath = "*.py"\nreason = "odd"\n')


def pyproject_off(repo: Repo) -> None:
    repo.stage("pyproject.toml", OFF.replace("[rules", "[tool.sakaime.rules"))


def renamed_settings(repo: Repo) -> None:
    repo.git("mv", "sakaime.toml", "old.toml")
    repo.stage("pyproject.toml", OFF.replace("[rules", "[tool.sakaime.rules"))


def nested(repo: Repo) -> None:
    repo.stage("src/sakaime.toml", OFF)


def comment(repo: Repo) -> None:
    repo.stage("b.py", f"# sakaime: allow {RULE} -- trust me\n{NOTE}")


def attributes(line: str) -> Callable[[Repo], None]:
    return lambda repo: repo.stage(".gitattributes", f"*.py {line}\n")


def baseline(repo: Repo) -> None:
    repo.stage("sakaime-baseline.json", BASELINE % fingerprint(repo))


ATTACKS: dict[str, tuple[Callable[[Repo], None], str, str]] = {
    "own allow": (own_allow, "policy/softened", "sakaime.toml"),
    "settings": (settings_off, "policy/softened", "sakaime.toml"),
    "pyproject": (pyproject_off, "policy/softened", "pyproject.toml"),
    "unjudged": (unjudged, "policy/softened", "sakaime.toml"),
    "-diff": (attributes("-diff"), "policy/attributes", ".gitattributes"),
    "binary": (attributes("binary"), "policy/attributes", ".gitattributes"),
    "export-ignore": (attributes("export-ignore"), "policy/attributes", ".gitattributes"),
    "macro": (attributes("quiet\n[attr]quiet -diff"), "policy/attributes", ".gitattributes"),
    "baseline": (baseline, "policy/baseline", "sakaime-baseline.json"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_in_a_range_it_stops_all_the_same_and_is_an_error_of_its_own(repo: Repo, name: str) -> None:
    attack, rule, path = ATTACKS[name]
    topic(repo)
    attack(repo)
    repo.stage("a.py", NOTE)
    repo.commit()
    code, findings = in_range(repo)
    assert code == 1
    assert [f["path"] for f in of(findings, RULE)] == ["a.py"]
    (told,) = of(findings, rule)
    assert (told["severity"], told["path"], told["family"]) == ("error", path, "policy")
    repo.git("rm", "-q", "a.py")
    repo.commit()
    assert in_range(repo)[0] == 1, "the attack alone passes unseen"


@pytest.mark.parametrize("name", ATTACKS)
def test_staged_it_is_told_that_ci_judges_by_base(repo: Repo, name: str) -> None:
    attack, rule, path = ATTACKS[name]
    attack(repo)
    repo.stage("a.py", NOTE)
    _, findings = judged(repo.path)
    (told,) = of(findings, rule)
    assert (told["severity"], told["path"]) == ("info", path)
    assert "CI judges by BASE" in told["message"]


def test_attributes_that_hide_no_text_are_only_told(repo: Repo) -> None:
    topic(repo)
    repo.commit(**{".gitattributes": "*.png binary\n*.sh text eol=lf\n"})
    code, findings = in_range(repo)
    assert (code, [f["severity"] for f in findings]) == (0, ["info"])


def test_settings_that_soften_nothing_are_only_told(repo: Repo) -> None:
    topic(repo)
    repo.commit(**{"sakaime.toml": '[rules."en/cap"]\nseverity = "error"\n'})
    code, findings = in_range(repo)
    assert code == 0
    (told,) = findings
    assert (told["rule"], told["severity"], told["path"]) == ("policy/settings", "info", "sakaime.toml")


def test_settings_renamed_away_and_written_elsewhere(repo: Repo) -> None:
    repo.commit(**{"sakaime.toml": '[rules."en/cap"]\nseverity = "error"\n'})
    topic(repo)
    renamed_settings(repo)
    repo.stage("a.py", NOTE)
    code, staged = judged(repo.path)
    assert code == 0, "staged settings decide locally"
    assert "en/claim is switched off" in of(staged, "policy/softened")[0]["message"]
    repo.commit()
    code, findings = in_range(repo)
    assert code == 1
    assert of(findings, RULE)
    assert [f["severity"] for f in of(findings, "policy/softened")] == ["error"]


@pytest.mark.parametrize("mode", ["staged", "range"])
def test_a_nested_settings_file_has_no_effect(repo: Repo, mode: str) -> None:
    topic(repo)
    nested(repo)
    repo.stage("src/a.py", NOTE)
    if mode == "range":
        repo.commit()
    code, findings = in_range(repo) if mode == "range" else judged(repo.path)
    assert code == 1
    assert of(findings, RULE)
    (told,) = of(findings, "policy/settings")
    assert (told["path"], told["message"]) == ("src/sakaime.toml", "settings are read at the root only")


def test_a_fork_from_before_a_rule_existed_is_judged_by_the_tip_of_base(repo: Repo) -> None:
    topic(repo)
    repo.commit(**{"a.py": "# housestamp this, please\n"})
    assert in_range(repo) == (0, [])
    repo.git("checkout", "-q", "main")
    with_pack(repo)
    repo.commit()
    code, findings = in_range(repo)
    assert code == 1
    assert [f["rule"] for f in findings] == ["house/stamp"]


def test_a_fork_with_an_exception_that_base_has_taken_back(repo: Repo) -> None:
    repo.commit(**{"sakaime.toml": allow(fingerprint(repo))})
    topic(repo)
    repo.commit(**{"a.py": NOTE})
    assert in_range(repo)[0] == 0
    repo.git("checkout", "-q", "main")
    repo.git("rm", "-q", "sakaime.toml")
    repo.commit()
    code, findings = in_range(repo)
    assert code == 1
    assert [f["rule"] for f in findings] == [RULE], "the change did not touch the settings"


def with_pack(repo: Repo) -> None:
    """Puts a pack of the repository in force; it is staged."""
    repo.write("house/pack.yaml", pack_text(name="house", rules=(("stamp", "housestamp"),), locked=()))
    repo.write("sakaime.toml", '[[extends]]\npack = "house"\nfrom = "house"\n')
    assert sakaime("pack", "sync", cwd=repo.path).returncode == 0
    repo.git("add", "-A")


@pytest.mark.parametrize("sync", [True, False])
def test_a_pack_edited_in_the_change(repo: Repo, sync: bool) -> None:
    with_pack(repo)
    repo.commit()
    topic(repo)
    repo.write("house/pack.yaml", pack_text(name="house", rules=(("stamp", "neverfound"),), locked=()))
    if sync:
        assert sakaime("pack", "sync", "--update", cwd=repo.path).returncode == 0
    repo.git("add", "-A")
    repo.stage("a.py", "# housestamp\n")
    if sync:
        _, staged = judged(repo.path)
        assert "a.py" not in [f["path"] for f in of(staged, "house/stamp")], "what is staged decides locally"
        assert "house/stamp looks for something else; CI judges by BASE" in of(staged, "policy/softened")[0]["message"]
    repo.commit()
    code, findings = in_range(repo)
    assert code == 1
    assert "a.py" in [f["path"] for f in of(findings, "house/stamp")]
    (told,) = of(findings, "policy/softened" if sync else "policy/settings")
    assert told["severity"] == ("warning" if sync else "error")


def test_a_pack_taken_out_of_settings_and_lock(repo: Repo) -> None:
    with_pack(repo)
    repo.commit()
    topic(repo)
    repo.git("rm", "-q", "-r", "sakaime.toml", "sakaime.lock", "house")
    repo.stage("a.py", "# housestamp\n")
    code, staged = judged(repo.path)
    assert code == 0
    assert [f["message"] for f in of(staged, "policy/softened")] == [
        "the pack house is in force no more; CI judges by BASE"
    ]
    repo.commit()
    code, findings = in_range(repo)
    assert code == 1
    assert of(findings, "house/stamp")
    assert [f["message"] for f in of(findings, "policy/softened")] == ["the pack house is in force no more"]


HOOKS = "repos:\n- repo: https://example.invalid/sakaime\n  rev: v1\n  hooks:\n  - id: sakaime\n"


@pytest.mark.parametrize(
    ("after", "severity", "words"),
    [
        ("repos: []\n", "error", "the hook sakaime is taken out"),
        (HOOKS + "    args: [--fail-on, never]\n", "error", "the hook sakaime runs otherwise: args"),
        ("exclude: src\n" + HOOKS, "error", "the hook sakaime runs otherwise: exclude"),
        (HOOKS.replace("v1", "v2"), "info", "the hooks change"),
        ("repos: [\n", "warning", "the hooks cannot be compared"),
    ],
)
def test_the_hooks_of_sakaime(repo: Repo, after: str, severity: str, words: str) -> None:
    repo.commit(**{".pre-commit-config.yaml": HOOKS})
    topic(repo)
    repo.commit(**{".pre-commit-config.yaml": after})
    code, findings = in_range(repo)
    (told,) = findings
    assert told["severity"] == severity
    assert words in told["message"]
    assert code == (0 if severity == "info" else 1)


def test_settings_that_nobody_can_read_are_an_error_in_the_range(repo: Repo) -> None:
    topic(repo)
    repo.commit(**{"sakaime.toml": "rules = [\n"})
    code, findings = in_range(repo)
    assert code == 1
    assert "with this change, the policy cannot be read" in findings[0]["message"]


def test_a_bare_diff_of_the_settings_is_a_warning(repo: Repo) -> None:
    topic(repo)
    repo.commit(**{"sakaime.toml": OFF, "a.py": NOTE})
    repo.write("change.diff", repo.git("diff", "main", "topic"))
    repo.git("checkout", "-q", "main")
    code, findings = judged(repo.path, "--diff", "change.diff", "--policy-from", "main")
    assert code == 1
    assert of(findings, RULE)
    assert [f["severity"] for f in of(findings, "policy/settings")] == ["warning"]


def test_policy_from_names_who_decides(repo: Repo) -> None:
    topic(repo)
    repo.commit(**{"a.py": NOTE, "sakaime.toml": OFF})
    assert in_range(repo, "--policy-from", "topic")[0] == 0
    repo.git("checkout", "-q", "main")
    repo.stage("b.py", NOTE)
    assert judged(repo.path, "--policy-from", "topic")[0] == 0
    assert judged(repo.path, "--policy-from", "HEAD")[0] == 1
    for args in (("--range", "main...topic"), ()):
        done = sakaime("check", *args, "--policy-from", "origin/none", cwd=repo.path)
        assert done.returncode == 3
        assert "git fetch" in done.stderr


def test_an_organisations_file_that_the_change_edits_is_refused(repo: Repo) -> None:
    repo.commit(**{"org.yaml": "sakaime: 1\norg: acme\nlocked: [en/claim]\n"})
    topic(repo)
    repo.commit(**{"org.yaml": "sakaime: 1\norg: acme\n"})
    done = sakaime("check", "--range", "main...topic", "--org", "org.yaml", cwd=repo.path)
    assert done.returncode == 2
    assert "is part of the change that it is to decide about" in done.stderr


VALUES = (
    "sakaime: 1\npack: house\nversion: 1.0.0\n"
    "keys: {secret: ['(?:^|_)seal$'], not_secret: ['^seal_no$']}\n"
    "zones: {production: {segments: [frontline]}, exempt: {paths: ['samples/**']}}\n"
    "topics: {secrets: [seals]}\n"
    "secrets:\n"
    "  - {id: seal, class: placeholder, value: 'seal-of-[a-z]+', full: true, title: t, message: m,\n"
    "     examples: {bad: [{path: a.env, text: SEAL=seal-of-x}, {path: b.env, text: SEAL=seal-of-y}],\n"
    "                good: [{path: a.env, text: X=y}, {path: a.env, text: X=z}]}}\n"
    "risks:\n"
    "  - {id: flag, title: t, message: m, line: 'rollout: 100', topics: [rollout],\n"
    "     examples: {bad: [{path: a.yml, text: 'rollout: 100'}, {path: b.yml, text: 'rollout: 100'}],\n"
    "                good: [{path: a.yml, text: 'rollout: 1'}, {path: b.yml, text: 'rollout: 2'}]}}\n"
)


def of_values(text: str) -> Policy:
    """The policy with a pack of the repository."""
    tree = pack_tree({MAIN: text.encode()}, "house.yaml", "house.yaml")
    return compile_policy([*_shipped(), read_pack(tree)], NOTHING, None, "2026-01-01")


@lru_cache
def _shipped() -> tuple[LoadedPack, ...]:
    return tuple(read_pack(tree) for tree in shipped.trees())


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ("['^seal_no$']", "['^seal_no$', '^seal_part$']", "(`keys: not_secret`) are more"),
        ("'samples/**'", "'samples/**', '**/*.yml'", "(`zones: exempt: paths`) are more"),
        ("paths: ['samples/**']", "paths: ['samples/**'], segments: [b]", "(`zones: exempt: segments`) are more"),
        ("secret: ['(?:^|_)seal$']", "secret: ['(?:^|_)wax$']", "(`keys: secret`) are fewer"),
        ("[frontline]", "[backyard]", "(`zones: production: segments`) are fewer"),
        ("[seals]", "[seals, anything]", "more words name what notes leave out (`topics`): anything"),
        ("'seal-of-[a-z]+'", "'seal-of-zz[a-z]*'", "house/seal looks for something else"),
        ("'rollout: 100'", "'rollout: 1000'", "house/flag looks for something else"),
        ("[rollout]", "[rollout, image]", "house/flag counts as named by more words"),
        ("class: placeholder,", "class: placeholder, severity: {production: info},", "from error to info"),
    ],
)
def test_a_pack_that_judges_fewer_values_softens(was: str, now: str, said: str) -> None:
    before, after = of_values(VALUES), of_values(VALUES.replace(was, now, 1))
    assert any(said in softening.message for softening in softenings(before, after))


def test_a_pack_that_judges_more_values_softens_nothing() -> None:
    more = VALUES.replace("'(?:^|_)seal$'", "'(?:^|_)seal$', '(?:^|_)wax$'").replace("[frontline]", "[frontline, b]")
    assert softenings(of_values(VALUES), of_values(more)) == []
