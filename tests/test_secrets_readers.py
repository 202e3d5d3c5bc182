"""Values under their keys, with their exact places, in every grammar; whatever is given, nothing breaks."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.compat import StringIO

from sakaime.checks.secrets.pair import Pair
from sakaime.checks.secrets.readers import kind_of, read
from sakaime.checks.secrets.unwrap import candidates

PATHS = (
    "a.yml a.json a.toml a.env a.properties a.ini a.tf a.py a.rb a.php a.ts a.go a.java a.sql a.sh a.xml Dockerfile "
    "a.service a.config unknown"
).split()

# path, text, the keys and the value that must be read
READ = [
    ("a.yml", "a:\n  b: &x v1\n  c: *x\n", ("a", "b"), "v1"),
    ("a.yml", "a:\n  - name: K\n    value: v1\n", ("a", "0", "K"), "v1"),
    ("a.yml", "e:\n  - K=v1\n", ("e", "K"), "v1"),
    ("a.yml", "a: {b: 'v1', c: 2}\n", ("a", "b"), "v1"),
    ("a.yml", 'a: [x]\nb: "v1" # c\n', ("b",), "v1"),
    ("a.yml", "a: |\n  v1\nb: 2\n", ("a",), "v1"),
    ("a.yml", "a: 1\n---\nb: v1\n", ("b",), "v1"),
    ("a.yml", "'a b': 'it''s'\n", ("a b",), "it's"),
    ("a.yml", "{{- if .x }}\na: v1\n{{- end }}\n", ("a",), "v1"),
    ("a.json", '{"a": {"b": "v1"}}', ("a", "b"), "v1"),
    ("a.json", '{"a": [1, "v1"]}', ("a", "1"), "v1"),
    ("a.json", '{// c\n"a": "v\\"1",}', ("a",), 'v"1'),
    ("a.json", '{"a": {"b": "v1", ', ("a", "b"), "v1"),
    ("a.toml", '[t.u]\nk.l = "v1"\n', ("t", "u", "k", "l"), "v1"),
    ("a.toml", 'k = """\nv1"""\n', ("k",), "v1"),
    ("a.toml", "k = {a = 'v1'}\n", ("k", "a"), "v1"),
    ("a.env", "export K='v1' # c\n", ("K",), "v1"),
    ("a.env", "K=v1 # c\r\n", ("K",), "v1"),
    ("a.properties", "a.b : v1\n", ("a", "b"), "v1"),
    ("a.ini", "[s]\nk = v1 ; c\n", ("s", "k"), "v1"),
    ("redis.conf", "requirepass v1\n", ("requirepass",), "v1"),
    ("a.service", '[Service]\nEnvironment="A=1" "K=v1"\n', ("K",), "v1"),
    ("a.tf", 'r "x" "y" {\n  k = "v1"\n}\n', ("x", "y", "k"), "v1"),
    ("a.py", "class A:\n    k: str = 'v1'\n", ("k",), "v1"),
    ("a.py", "d = {'a': {'k': 'v1'}}\n", ("d", "a", "k"), "v1"),
    ("a.rb", "config.k = 'v1'\n", ("config", "k"), "v1"),
    ("a.rb", "{ :k => 'v1' }\n", ("k",), "v1"),
    ("a.php", "<?php\n$c['k'] = 'v1';\n", ("c", "k"), "v1"),
    ("a.php", "define('K', 'v1');\n", ("K",), "v1"),
    ("a.ts", "const k: string = `v1`;\n", ("k",), "v1"),
    ("a.go", 'x := T{\n\tK: "v1",\n}\n', ("T", "K"), "v1"),
    ("a.rs", 'const K: &\'static str = "v1";\n', ("K",), "v1"),
    ("a.java", 'o.setSecret("v1");\n', ("secret",), "v1"),
    ("a.sql", "ALTER USER 'u'@'%' IDENTIFIED BY 'v1';\n", ("user u", "password"), "v1"),
    ("a.sql", "INSERT INTO t (a, k) VALUES (1, 'v1');\n", ("k",), "v1"),
    ("a.sh", 'K="v1" ./run\n', ("K",), "v1"),
    ("a.sh", "run --k-k v1\n", ("k-k",), "v1"),
    ("Dockerfile", "FROM x\nENV A=1 K=v1\n", ("K",), "v1"),
    ("Dockerfile", "ENV K v1\n", ("K",), "v1"),
    ("a.xml", "<a><k>v1</k></a>", ("a", "k"), "v1"),
    ("a.xml", '<add key="k" value="v1"/>', ("k",), "v1"),
    ("a.xml", "<p><param-name>k</param-name><param-value>v1</param-value></p>", ("p", "k"), "v1"),
]
FALLBACKS = [
    ("a.yml", "k: ${K:-v1}\n"),
    ("a.yml", "k: ${K:v1}\n"),
    ("a.yml", 'k: {{ .Values.k | default "v1" | quote }}\n'),
    ("a.yml", "k: <%= ENV['K'] || 'v1' %>\n"),
    ("a.sh", 'K="${K:=v1}"\n'),
    ("a.py", "k = os.environ.get('K', 'v1')\n"),
    ("a.py", "k = os.getenv('K') or 'v1'\n"),
    ("a.py", "k = config('K', default='v1')\n"),
    ("a.rb", "k = ENV.fetch('K', 'v1')\n"),
    ("a.rb", "k = ENV['K'] || 'v1'\n"),
    ("a.php", "'k' => env('K', 'v1'),\n"),
    ("a.php", "$k = getenv('K') ?: 'v1';\n"),
    ("a.ts", "const k = process.env.K ?? 'v1';\n"),
    ("a.java", 'k = System.getenv().getOrDefault("K", "v1");\n'),
    ("a.rs", 'let k = env::var("K").unwrap_or("v1".into());\n'),
    ("a.cs", 'k = Environment.GetEnvironmentVariable("K") ?? "v1";\n'),
]


@pytest.mark.parametrize(("path", "text", "keys", "value"), READ)
def test_a_value_is_read_under_its_keys(path: str, text: str, keys: tuple[str, ...], value: str) -> None:
    found = [pair for pair in read(path, text).pairs if pair.value == value]
    assert [pair.keys[-len(keys) :] for pair in found][:1] == [keys]
    if "\\" not in text and "''" not in text:
        assert text[found[0].start : found[0].end].strip() == value


@pytest.mark.parametrize(("path", "text"), FALLBACKS)
def test_a_fallback_is_told_from_the_value(path: str, text: str) -> None:
    every = [one for pair in read(path, text).pairs for one in candidates(pair, text)]
    assert [(one.value, one.fallback) for one in every if one.value == "v1"] == [("v1", True)]
    (one,) = (one for one in every if one.value == "v1")
    assert text[one.start : one.end] == "v1"


@pytest.mark.parametrize(
    ("value", "keys", "inner"),
    [
        ("postgres://u:v1@h/db", ("k", "password"), "v1"),
        ("Server=s;User Id=u;Password=v1;Encrypt=true", ("Password",), "v1"),
        ("host=h user=u password=v1", ("password",), "v1"),
        ("https://h/x?api_key=v1v1", ("api_key",), "v1v1"),
        ("Bearer v1v1v1v1", ("k",), "v1v1v1v1"),
    ],
)
def test_what_a_value_is_wrapped_in_is_taken_off(value: str, keys: tuple[str, ...], inner: str) -> None:
    text = f"k: {value}"
    every = list(candidates(Pair(("k",), value, 3, len(text)), text))
    assert [(one.keys, text[one.start : one.end]) for one in every if one.value == inner] == [(keys, inner)]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(PATHS),
    st.binary(max_size=400) | st.text("abk=:'\"{}[](),\n -#|&*<>!$%/\\;.@0", max_size=200).map(str.encode),
)
def test_nothing_breaks_and_every_place_is_in_the_text(path: str, data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    for pair in read(path, text).pairs:
        assert 0 <= pair.start < pair.end <= len(text)
        for one in candidates(pair, text):
            assert 0 <= one.start <= one.end <= len(text)
            assert one.value


NAMES = st.text("abcdefgh_", min_size=1, max_size=8)
WORDS = st.text("abcXYZ019+/!é日", min_size=3, max_size=12).filter(lambda t: t.strip("019+") and t[0] in "abcXYZé日")
TREES = st.recursive(
    WORDS,
    lambda inner: st.dictionaries(NAMES, inner, min_size=1, max_size=3) | st.lists(inner, min_size=1, max_size=3),
    max_leaves=8,
)


def leaves(tree: Any, keys: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], str]]:
    if isinstance(tree, str):
        return [(keys, tree)]
    items = tree.items() if isinstance(tree, dict) else ((str(n), one) for n, one in enumerate(tree))
    return [leaf for key, one in items for leaf in leaves(one, (*keys, key))]


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(NAMES, TREES, min_size=1, max_size=4), st.sampled_from([None, '"', "'"]), st.booleans())
def test_yaml_is_read_as_a_parser_reads_it(tree: dict[str, Any], quote: str | None, flow: bool) -> None:
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = flow
    yaml.default_style = quote  # type: ignore[assignment]
    yaml.width = 10_000
    yaml.allow_unicode = True
    stream = StringIO()
    yaml.dump(tree, stream)
    text = stream.getvalue()
    wanted = leaves(YAML(typ="safe", pure=True).load(text))
    found = {(pair.keys, pair.value) for pair in read("a.yml", text).pairs}
    if flow:  # keys of nested flow collections are told as far as quotes tell them
        assert quote is None or {value for _, value in wanted} <= {value for _, value in found}
    else:
        assert {(keys, value) for keys, value in wanted} <= found


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "piece",
    [
        "a: ",
        '"',
        "'",
        "/* ",
        "{",
        "[",
        "- ",
        "=",
        "k='",
        '"""',
        "<a ",
        "<!--",
        "${",
        "{{",
        "a=b;",
        " ",
        "\\",
        "`",
        "://a:",
    ],
)
def test_twice_the_text_takes_no_more_than_a_few_times_as_long(path: str, piece: str) -> None:
    def steps(count: int) -> float:
        text = piece * count
        start = time.process_time()
        for pair in read(path, text).pairs:
            for _ in candidates(pair, text):
                pass
        return time.process_time() - start

    assert steps(4000) < 3  # what is not linear takes minutes


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("x/.env.production", "dotenv"),
        ("Dockerfile.prod", "docker"),
        ("a.j2", ""),
        ("x.yaml.j2", "yaml"),
        ("web.config", "ini"),
    ],
)
def test_a_file_is_known_by_its_name(path: str, kind: str) -> None:
    assert kind_of(path) == kind
