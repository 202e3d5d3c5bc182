"""What a value is, where it stands, and what becomes of it: zones, exceptions, the baseline, the brief, the budget."""

from __future__ import annotations

import json
import time
from itertools import pairwise

import pytest
from conftest import Repo, sakaime
from hypothesis import given, settings
from hypothesis import strategies as st
from judging_fixtures import shipped_policy
from secrets_fixtures import random_secrets, secrets_in

from sakaime.checks import secrets
from sakaime.checks.secrets.naming import Naming, normal
from sakaime.checks.secrets.randomness import like_password, looks_random
from sakaime.checks.secrets.zones import Zones
from sakaime.material.sources import whole_file
from sakaime.packs import silencing
from sakaime.policy.checksum import github_checksum
from sakaime.policy.hints import literals
from sakaime.policy.values import Values

VALUES = Values(*shipped_policy().secret_data.values())
TOKEN, OTHER = (value for _, value in random_secrets(8, 3)[::7])
KEY = {"SAKAIME_KEY": "a key of the organisation"}


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("config/production.yml", "error"),
        ("deploy/prod/app.yml", "error"),
        ("deploy/本番/app.yml", "error"),
        ("config/生产环境/app.yml", "error"),
        ("config/app-prod.yml", "error"),
        ("src/appsettings.Production.json", "error"),
        ("config/live/app.yml", "error"),
        ("config/preprod/app.yml", "warning"),
        ("config/non-prod/app.yml", "warning"),
        ("product/app.yml", "warning"),
        ("reproduce/app.yml", "warning"),
        ("config/app.yml", "warning"),
        ("config/app.dev.yml", ""),
        ("docs/production/app.yml", ""),
        ("tests/production/app.yml", ""),
        ("config/production.yml.example", ""),
    ],
)
def test_the_place_decides_how_bad_it_is(path: str, wanted: str) -> None:
    text = '{"password": "changeme"}' if path.endswith("json") else "password: changeme\n"
    assert [finding.severity for finding in secrets_in(path, text)] == ([wanted] if wanted else [])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("NODE_ENV=production\nPASSWORD=changeme\n", "error"),
        ("NODE_ENV=development\nPASSWORD=changeme\n", "warning"),
        ("# not for NODE_ENV=staging\nPASSWORD=changeme\n", "warning"),
    ],
)
def test_a_file_may_say_what_it_is_for(text: str, wanted: str) -> None:
    assert [finding.severity for finding in secrets_in("a.env", text)] == [wanted]


def test_a_part_of_a_file_may_say_it() -> None:
    text = "test:\n  password: changeme\nstaging:\n  password: changeme\nproduction:\n  password: changeme\n"
    found = [(f.span.start.line, f.severity) for f in secrets_in("config/database.yml", text)]
    assert found == [(4, "warning"), (6, "error")]


@pytest.mark.parametrize(
    "name",
    "password DB_PASSWORD dbPassword spring.mail.password jwt_secret secretKeyBase API_KEY apiKey X-Api-Key "
    "accessToken encryption_key des_key cipherKey client_secret passphrase パスワード APIキー 秘密鍵 接続文字列 "
    "密码 密钥 비밀번호".split(),
)
def test_a_secret_is_expected_under(name: str) -> None:
    assert Naming(VALUES).expects((name,))


@pytest.mark.parametrize(
    "name",
    "public_key monkey secret_name token_url max_tokens password_min_length primary_key cache_key tokenizer pad_token "
    "token_type password_hasher existingSecret secretName password_file keyboard author compass bypass "
    "access_key_id パスワード最小文字数 公開鍵 密码长度 csrf_token_name sort_key next_page_token "
    "session_cookie_name".split(),
)
def test_no_secret_is_expected_under(name: str) -> None:
    assert not Naming(VALUES).expects((name,))


def test_names_are_compared_by_their_words() -> None:
    assert [normal(one) for one in ("sessionSecret", "SESSION-SECRET", "JWTSecret", "session.secret")] == [
        "session_secret",
        "session_secret",
        "jwt_secret",
        "session_secret",
    ]


def test_the_gate_opens_for_every_name_that_a_secret_is_expected_under() -> None:
    for name in ("DB_PASSWORD", "encryption-key", "パスワード", "密钥", "remember_me_key"):
        assert secrets.opens(shipped_policy(), f"{name}: x".encode())
    for harmless in (b"x = keys[0]\n", b"def total(items):\n    return sum(items)\n", b"pub fn remove(key: &str)\n"):
        assert not secrets.opens(shipped_policy(), harmless)


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        ("(?:api|app)_?key", {"apikey", "appkey"}),
        ("[a-z]+_x", {"x"}),
        (".*", {""}),
        ("a|", {"", "a"}),
        ("pass(?:word)?$", {"pass", "password"}),
    ],
)
def test_what_a_pattern_of_a_name_needs(pattern: str, wanted: set[str]) -> None:
    assert set(literals(pattern)) == wanted


def test_production_is_a_word_of_a_name_and_not_a_part_of_one() -> None:
    zones = Zones(VALUES, "a.yml")
    assert [
        zones.marks(name) for name in ("app-prod.yml", "myProd", "preprod", "non-prod", "product", "非本番", "本番用")
    ] == [
        True,
        True,
        False,
        False,
        False,
        False,
        True,
    ]


def test_only_added_lines_count() -> None:
    old = "a:\n  password: changeme\n"
    assert secrets_in("config/production.yml", f"{old}  host: x\n", old) == []
    (finding,) = secrets_in("config/production.yml", f"{old}  secret: changeme\n", old)
    assert finding.span.start.line == 3


@pytest.mark.parametrize("value", [value for _, value in random_secrets(40, 9) if not value.startswith("AKIA")])
def test_what_chance_made_looks_so(value: str) -> None:
    assert looks_random(value.split(".")[-1]) or like_password(value)


@pytest.mark.parametrize(
    "value",
    ["django.contrib.auth.hashers", "/etc/backup/password", "ThisIsACamelCaseIdentifier2", "https://id.example.org/token",
     "us-east-1", "application-production", "SELECT-password-FROM-users", "2026-01-01T00:00:00"],
)  # fmt: skip
def test_what_a_person_wrote_does_not(value: str) -> None:
    assert not looks_random(value)


def test_the_shapes_silence_next_to_nothing() -> None:
    from sakaime.packs import shipped
    from sakaime.policy.pack import read_pack

    for tree in shipped.trees():
        if tree.where == "rules/core.yaml":
            assert len(silencing.silenced(read_pack(tree), shipped_policy())) <= silencing.MOST


def test_a_shape_that_silences_too_much_fails_the_pack(repo: Repo) -> None:
    repo.write(
        "greedy.yaml",
        "sakaime: 1\npack: greedy\nversion: 1.0.0\nkeys: {secret: ['^api_key$']}\nsecrets:\n"
        "  - {id: greedy, class: placeholder, value: '^[a-f].*', random: true, title: t, message: m,\n"
        "     examples: {bad: [{path: a.yml, text: 'api_key: abcdef'}, {path: a.yml, text: 'api_key: fff'}],\n"
        "                good: [{path: a.yml, text: 'api_key: xyz'}, {path: a.yml, text: 'x: abc'}]}}\n",
    )
    done = sakaime("pack", "test", "greedy.yaml", cwd=repo.path)
    assert done.returncode == 1
    assert "random secrets are taken for something harmless, 10 may be:\n    greedy/greedy: " in done.stdout


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("{id: a, class: live, value: 'abc_[a-z]+', title: t, message: m,", "has no `holds`"),
        ("{id: a, class: placeholder, title: t, message: m,", "needs a `value` or a `test`"),
        (
            "{id: a, class: placeholder, value: 'add|set', title: t, message: m,",
            "'add' is looked for inside of longer ones",
        ),
        ("{id: a, class: placeholder, value: '(?=x)', title: t, message: m,", "RE2 refuses '(?=x)'"),
        ("{id: a, class: placeholder, value: 'xyzxyz', title: t,", "has no message"),
        ("{id: a, class: placholder, value: 'xyzxyz', title: t, message: m,", ""),
    ],
)
def test_mistakes_in_a_pack_have_their_place(repo: Repo, rule: str, said: str) -> None:
    example = "{path: a.yml, text: 'k: v'}"
    repo.write(
        "a.yaml",
        "sakaime: 1\npack: a\nversion: 1.0.0\nsecrets:\n  - "
        f"{rule} examples: {{bad: [{example}, {example}], good: [{example}, {example}]}}}}\n",
    )
    done = sakaime("pack", "check", "a.yaml", cwd=repo.path)
    assert done.returncode == 1
    assert "a.yaml:5:" in done.stdout
    assert said in done.stdout


def test_a_baseline_knows_a_placeholder_and_no_secret_without_a_key(repo: Repo) -> None:
    repo.commit(**{"a.yml": f"password: changeme\napi_token: {TOKEN}\n"})
    done = sakaime("baseline", "write", cwd=repo.path)
    assert "1 finding known from now on" in done.stdout
    assert "not known: a.yml:2 core/github-token, a secret" in done.stdout
    assert sakaime("check", "--all", cwd=repo.path).returncode == 1


def test_with_a_key_a_baseline_knows_this_value_and_no_other(repo: Repo) -> None:
    repo.commit(**{"a.yml": f"api_token: {TOKEN}\n"})
    assert sakaime("baseline", "write", cwd=repo.path, env=KEY).returncode == 0
    written = (repo.path / "sakaime-baseline.json").read_text()
    assert len(json.loads(written)["findings"][0]["digest"]) == 64
    assert TOKEN not in written
    assert sakaime("check", "--all", cwd=repo.path, env=KEY).returncode == 0
    assert sakaime("check", "--all", cwd=repo.path).returncode == 1
    assert sakaime("check", "--all", cwd=repo.path, env={"SAKAIME_KEY": "another"}).returncode == 1
    repo.write("a.yml", f"api_token: {OTHER}\n")
    assert sakaime("check", "--all", cwd=repo.path, env=KEY).returncode == 1


def test_a_line_that_is_only_indented_anew_stays_known(repo: Repo) -> None:
    repo.commit(**{"a.yml": "a:\n  password: changeme\n"})
    assert sakaime("baseline", "write", cwd=repo.path).returncode == 0
    repo.git("add", "-A")
    repo.commit("baseline")
    repo.stage("a.yml", "a:\n    password: changeme\n")
    assert sakaime("check", cwd=repo.path).returncode == 0


def test_an_exception_in_a_comment(repo: Repo) -> None:
    repo.stage("a.yml", "# sakaime: allow core/change-me -- the service ignores it\npassword: changeme\n")
    assert sakaime("check", cwd=repo.path).returncode == 0


def test_a_secret_is_excepted_by_its_fingerprint_and_not_by_its_masked_line(repo: Repo) -> None:
    repo.stage("a.yml", f"api_token: {TOKEN}\n")
    (finding,) = json.loads(sakaime("check", "--format", "json", cwd=repo.path).stdout)["findings"]
    entry = '[[allow]]\nrule = "core/github-token"\npath = "a.yml"\nreason = "taken back"\n'
    repo.write("sakaime.toml", f'{entry}line = "api_token: {"*" * 40}"\n')
    assert sakaime("check", cwd=repo.path).returncode == 1
    repo.write("sakaime.toml", f'{entry}fingerprint = "{finding["fingerprint"]}"\n')
    assert sakaime("check", cwd=repo.path).returncode == 0


def test_a_rule_can_be_softened(repo: Repo) -> None:
    repo.write("sakaime.toml", '[rules."core/change-me"]\nseverity = "info"\nreason = "a demonstration"\n')
    repo.stage("config/production.yml", "password: changeme\n")
    (finding,) = (
        f
        for f in json.loads(sakaime("check", "--format", "json", cwd=repo.path).stdout)["findings"]
        if f["family"] == "secrets"
    )
    assert finding["severity"] == "info"


@pytest.mark.parametrize("where", ["added", "removed", "beside"])
def test_a_brief_hands_no_secret_to_a_model(repo: Repo, where: str) -> None:
    before = {"added": "a: 1\n", "removed": f"a: 1\napi_token: {TOKEN}\n", "beside": f"api_token: {TOKEN}\na: 1\n"}[
        where
    ]
    after = {"added": f"a: 1\napi_token: {TOKEN}\n", "removed": "a: 1\n", "beside": f"api_token: {TOKEN}\na: 2\n"}[
        where
    ]
    repo.commit(**{"a.yml": before})
    repo.stage("a.yml", after)
    refused = sakaime("brief", "--out", "out", cwd=repo.path)
    assert refused.returncode == 3
    assert "the material holds a secret (a.yml:" in refused.stderr
    assert not (repo.path / "out").exists()
    assert sakaime("brief", "--out", "out", "--allow-live", cwd=repo.path).returncode == 0
    diff = repo.git("diff", "--cached", "-U3")
    assert TOKEN in diff
    assert TOKEN in (repo.path / "out/material/001.diff").read_text()


@settings(max_examples=100, deadline=None)
@given(st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=30, max_size=30))
def test_the_checksum_of_a_token_is_told(body: str) -> None:
    token = f"ghp_{body}{github_checksum(body)}"
    (finding,) = secrets_in("a.env", f"GITHUB_TOKEN={token}\n")
    assert "its checksum is right" in finding.message


def test_a_harmless_change_opens_nothing() -> None:
    change = whole_file("src/a.py", b"def total(items):\n    return sum(items)\n")
    assert not secrets.concerns(shipped_policy(), change)


def test_a_secret_behind_hundreds_of_placeholders_is_told(repo: Repo) -> None:
    repo.stage("a.env", "".join(f"PASSWORD_{n}=changeme\n" for n in range(600)) + f"TOKEN={TOKEN}\n")
    done = sakaime("check", "--fail-on", "error", "--format", "json", cwd=repo.path)
    assert done.returncode == 1
    found = json.loads(done.stdout)["findings"]
    assert len(found) == 601
    assert [f["start"]["line"] for f in found if f["kind"] == "live"] == [601]


def test_what_is_live_goes_before_a_placeholder_at_its_place() -> None:
    for text in (f"PASSWORD=changeme-{TOKEN}\n", f"PASSWORD=changeme {TOKEN} changeme\n"):
        assert [(f.kind, f.rule) for f in secrets_in("a.env", text)] == [("live", "core/github-token")]


def test_values_in_each_other_and_beside_each_other() -> None:
    text = f"URL=postgres://app:{TOKEN}@db/x?password=changeme TOKEN={OTHER}\n"
    found = secrets_in("a.env", text)
    assert [f.kind for f in found].count("live") == 2
    places = [(f.span.start.column, f.span.end.column) for f in found]
    assert places == sorted(places)
    assert all(one[1] <= other[0] for one, other in pairwise(places))


def _seconds(text: str) -> tuple[float, int]:
    start = time.process_time()
    count = len(secrets_in("a.env", text))
    return time.process_time() - start, count


def test_the_time_for_a_line_does_not_grow_with_their_number() -> None:
    def lines(count: int) -> str:
        tokens = random_secrets(count, 11)
        return "".join(f"{name.upper()}_{n}={value}\nPASSWORD_{n}=changeme\n" for n, (name, value) in enumerate(tokens))

    _seconds(lines(10))
    few, many = _seconds(lines(300)), _seconds(lines(3000))
    assert many[1] > 9.5 * few[1] > 5_000
    assert many[0] < 20 * few[0]  # ten times as much


def test_many_tokens_in_one_line() -> None:
    count = 2000
    tokens = [value for _, value in random_secrets(7 * count, 12)[::7]]
    found = secrets_in("a.txt", " ".join(tokens) + "\n")
    assert len(found) == count
    for finding in found[::100]:
        assert not any(token[8:24] in finding.line or token[-24:-8] in finding.line for token in tokens)


def test_a_name_that_is_a_secret_is_not_told() -> None:
    (finding,) = secrets_in("a.json", json.dumps({TOKEN: {"password": "changeme"}}))[-1:]
    assert TOKEN[6:] not in repr(finding)


def test_no_part_of_a_secret_is_told_where_a_text_is_cut() -> None:
    from sakaime.checks.secrets.masking import Masker

    masker = Masker(shipped_policy(), [TOKEN, OTHER])
    for text in (f"a {TOKEN[:20]}", f"{TOKEN[12:]} b", f"a {TOKEN[:20]}…{OTHER[9:]} b", f"“{TOKEN[:11]}…”"):
        masked = masker.text(text)
        assert len(masked) == len(text)
        assert masked.translate({ord(c): None for c in "* ab…“”"}) == ""


def test_the_end_of_a_large_file_is_read_as_its_beginning() -> None:
    filler = "".join(f"key_{n}: some words that are no secret at all\n" for n in range(60_000))
    assert len(filler) > 2_500_000
    old = f"a: 1\n{filler}b: 2\n"
    text = f"a: 1\npassword: changeme\n{filler}production:\n  password: changeme\n"
    assert [f.span.start.line for f in secrets_in("a.yml", text)] == [2, 60_004]
    assert [f.span.start.line for f in secrets_in("a.yml", text, old)] == [2, 60_004]


def test_every_other_line_of_a_large_file() -> None:
    from sakaime.checks.secrets.judged import _stretches

    whole = "x: some words\n" * 300_000
    ranges = [(at, at + 13) for at in range(0, len(whole), 28)]
    parts = list(_stretches(whole, ranges))
    assert sum(end - start for start, end in parts) < 1.1 * len(whole)
    assert all(any(start <= first and last <= end for start, end in parts) for first, last in ranges[::1000])


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("keys: {secret: ['.*']}", "a.yaml:4:17: '.*' matches everything"),
        ("keys: {not_secret: ['x?']}", "a.yaml:4:21: 'x?' matches everything"),
        ("keys: {not_secret: ['ok$', 'pass|word']}", "a.yaml:4:28: 'pass|word' takes a value under 'password' for no"),
        ("zones: {production: {content: ['^']}}", "a.yaml:4:32: '^' matches everything"),
        ("zones: {exempt: {paths: ['**']}}", "a.yaml:4:18: the exempt files are all files"),
        ("zones: {ci: {paths: ['*']}}", "a.yaml:4:14: the ci files are all files"),
    ],
)
def test_a_pack_cannot_silence_everything(repo: Repo, part: str, said: str) -> None:
    repo.write("a.yaml", f"sakaime: 1\npack: a\nversion: 1.0.0\n{part}\n")
    done = sakaime("pack", "check", "a.yaml", cwd=repo.path)
    assert done.returncode == 1
    assert said in done.stdout


@pytest.mark.parametrize(
    "rule",
    [
        "secrets: [{id: a, class: placeholder, value: 'x*', title: t, message: m",
        "secrets: [{id: a, class: reference, value: 'changeme|', title: t, message: m",
        "risks: [{id: a, title: t, message: m, line: 'x*', topics: [every]",
        "risks: [{id: a, title: t, message: m, line: ['^', 'x*'], any: ['a', 'y?'], topics: [every]",
    ],
)
def test_a_shape_that_is_everything_is_a_mistake(repo: Repo, rule: str) -> None:
    example = "{path: a.yml, text: 'k: v'}"
    text = f"{rule}, examples: {{bad: [{example}, {example}], good: [{example}, {example}]}}}}]\n"
    repo.write("a.yaml", f"sakaime: 1\npack: a\nversion: 1.0.0\n{text}")
    done = sakaime("pack", "check", "a.yaml", cwd=repo.path)
    assert done.returncode == 1
    assert "matches every" in done.stdout


def test_without_its_key_an_entry_of_a_secret_is_neither_known_nor_taken_out(repo: Repo) -> None:
    repo.commit(**{"a.yml": f"api_token: {TOKEN}\n"})
    assert sakaime("baseline", "write", cwd=repo.path, env={"SAKAIME_KEY": "a key\n"}).returncode == 0
    before = (repo.path / "sakaime-baseline.json").read_bytes()
    assert sakaime("check", "--all", cwd=repo.path, env={"SAKAIME_KEY": " a key"}).returncode == 0
    for env in (None, {"SAKAIME_KEY": ""}, {"SAKAIME_KEY": "\n"}):
        done = sakaime("check", "--all", cwd=repo.path, env=env)
        assert done.returncode == 1
        assert "is known by a digest, and there is no key to compare it with (SAKAIME_KEY)" in done.stdout
        done = sakaime("baseline", "prune", cwd=repo.path, env=env)
        assert done.returncode == 2
        assert "sakaime-baseline.json: has entries of secrets" in done.stderr
    assert (repo.path / "sakaime-baseline.json").read_bytes() == before


def test_the_target_of_a_link_is_judged_and_masked(repo: Repo) -> None:
    (repo.path / "link").symlink_to(f"http://app:{TOKEN}@db/x")
    repo.git("add", "-A")
    done = sakaime("check", cwd=repo.path)
    assert done.returncode == 1
    assert "core/github-token" in done.stdout
    assert TOKEN[6:] not in done.stdout
    assert sakaime("brief", "--out", "out", cwd=repo.path).returncode == 3
