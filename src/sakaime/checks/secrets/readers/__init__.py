"""Which reader reads a file: one module per family of grammars, each gives the values of a text under their keys."""

from __future__ import annotations

from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sakaime.checks.secrets.pair import Pair

_YAML = frozenset("yml yaml sls eyaml".split())
_JSON = frozenset(
    "json jsonc json5 jsonl ndjson webmanifest tfstate code-workspace avsc ipynb har postman_collection".split()
)
_HCL = frozenset("tf tfvars hcl nomad workflow pkr".split())
_INI = frozenset(
    "ini cfg conf cnf cf config service timer socket container pod network desktop npmrc pypirc netrc gitconfig s3cfg "
    "boto pgpass rc inventory hosts".split()
)
_XML = frozenset("xml config csproj props targets pubxml plist xsd wsdl fxml jelly nuspec resx xhtml settings".split())
_SHELL = frozenset("sh bash zsh ksh fish bats bat cmd profile bashrc zshrc".split())
_LANGUAGES = {
    "PYTHON": "py pyi pyw bzl star gyp wsgi",
    "RUBY": "rb rake gemspec ru erb cr ex exs pl pm r jl podspec",
    "SCRIPT": "js mjs cjs jsx ts tsx mts cts vue svelte coffee astro",
    "PHP": "php phtml inc module install ctp",
    "POWERSHELL": "ps1 psm1 psd1",
    "COMPILED": "java kt kts groovy gradle scala go rs c h cc cpp cxx hpp cs swift dart m mm fs fsx vb clj jsonnet "
    "libsonnet proto sbt zig nim lua sol graphql cue bicep pkl",
}
_BY_ENDING = {ending: language for language, endings in _LANGUAGES.items() for ending in endings.split()}
_PROSE = frozenset("md mdx markdown rst adoc asciidoc txt text tex textile org html htm csv tsv log".split())
# What is never settings and would only cost time.
_NEVER = frozenset("svg css scss less map lock sum snap po pot ttf woff patch diff".split())


class Read(Record):
    """The values of a file. `programs` says that it is one: names say less there. `documents` are the (start, end)
    of its parts that are settings of their own."""

    pairs: tuple[Pair, ...]
    program: bool = False
    documents: tuple[tuple[int, int], ...] = ()


def kind_of(path: str, head: str = "") -> str:
    """The family of a file, by its name or its first line; empty where nothing is known of it."""
    name = path.rsplit("/", 1)[-1].lower()
    for tail in (
        ".j2",
        ".jinja",
        ".jinja2",
        ".erb",
        ".tmpl",
        ".template",
        ".example",
        ".sample",
        ".dist",
        ".tpl",
        ".gotmpl",
    ):
        name = name.removesuffix(tail) if name != tail[1:] else name
    ending = name.rsplit(".", 1)[-1] if "." in name else ""
    if name.startswith(("dockerfile", "containerfile")) or ending == "dockerfile":
        return "docker"
    if name.startswith(".env") or ending in ("env", "envrc") or ".env." in name or name in ("env", "environment"):
        return "dotenv"
    if name in ("pipfile", "cargo.lock", "poetry.lock") or ending == "toml":
        return "toml"
    if ending in _YAML or name in (".clang-format", ".travis"):
        return "yaml"
    if ending in _JSON or name in (
        ".babelrc",
        ".eslintrc",
        ".prettierrc",
        ".swcrc",
        "config.json",
        ".dockerconfigjson",
    ):
        return "json"
    if ending in _HCL:
        return "hcl"
    if ending == "properties":
        return "properties"
    if ending == "sql":
        return "sql"
    if ending in _XML and ending != "config":
        return "xml"
    if ending == "config":
        return "xml" if head.lstrip("\ufeff \t\r\n").startswith("<") else "ini"
    if ending in _SHELL or name in ("procfile", ".bashrc", ".profile"):
        return "shell"
    if name in ("makefile", "gnumakefile", "justfile", ".justfile") or ending in ("mk", "mak", "just"):
        return "make"
    if name in ("jenkinsfile", "vagrantfile", "gemfile", "rakefile", "fastfile", "podfile", "appfile", "dangerfile"):
        return "code:COMPILED" if name == "jenkinsfile" else "code:RUBY"
    if ending in _BY_ENDING:
        return f"code:{_BY_ENDING[ending]}"
    if ending in _INI or name.strip(".") in _INI:
        return "ini"
    if ending in _PROSE or ending in _NEVER:
        return ending if ending in _NEVER else "prose"
    if head.startswith("#!"):
        line = head.split("\n", 1)[0]
        languages = {
            "python": "code:PYTHON",
            "ruby": "code:RUBY",
            "node": "code:SCRIPT",
            "php": "code:PHP",
            "perl": "code:RUBY",
        }
        return next((kind for word, kind in languages.items() if word in line), "shell")
    start = head.lstrip("\ufeff \t\r\n")
    return "xml" if start.startswith("<?xml") else "json" if start.startswith("{") else ""


def read(path: str, text: str) -> Read:
    """The values of a file under their keys. Never fails: what is broken gives fewer of them."""
    kind = kind_of(path, text[:200])
    if kind == "yaml":
        from sakaime.checks.secrets.readers import yaml

        every = list(yaml.documents(text))
        return Read(tuple(p for one in every for p in one.pairs), documents=tuple((d.start, d.end) for d in every))
    if kind == "prose" or kind in _NEVER:
        return Read(())
    return Read(tuple(_reader(kind)(text)), kind.startswith("code:"))


def _reader(kind: str) -> Callable[[str], Iterator[Pair]]:
    from sakaime.checks.secrets.readers import code, lines

    if kind.startswith("code:"):
        language: code.Language = getattr(code, kind[5:])
        return lambda text: code.pairs(text, language)
    if kind in ("json", "hcl"):
        return lambda text: code.pairs(text, code.JSON if kind == "json" else code.HCL)
    if kind == "toml":
        from sakaime.checks.secrets.readers import toml

        return toml.pairs
    if kind == "xml":
        from sakaime.checks.secrets.readers import xml

        return xml.pairs
    if kind == "sql":
        from sakaime.checks.secrets.readers import sql

        return sql.pairs
    by_kind = {
        "dotenv": lines.dotenv,
        "properties": lines.properties,
        "ini": lines.ini,
        "shell": lines.shell,
        "docker": lines.dockerfile,
        "make": lines.makefile,
    }
    return by_kind.get(kind, lines.ini)
