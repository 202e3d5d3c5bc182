"""How languages write comments and strings. Data only; one line per language.

A language is (line comment signs, block comment pairs, string quotes). A quote of three characters, and
a quote listed in `MULTILINE`, may span lines. Signs in `BLANK_BEFORE` begin a comment only at the start
of a line or after a blank.
"""

from __future__ import annotations

from sakaime.model import Record


class Syntax(Record):
    """Signs that begin comments, pairs that enclose them, quotes that enclose strings.

    `anywhere` says that a line comment needs no blank before its sign.
    """

    line: tuple[str, ...] = ()
    block: tuple[tuple[str, str], ...] = ()
    quotes: tuple[str, ...] = ('"', "'")
    anywhere: bool = False


MULTILINE = frozenset({"`", '"""', "'''"})
BLANK_BEFORE = frozenset({"#", "%", ";", "!", "::", "REM ", "rem ", "'"})

_C_BLOCK = (("/*", "*/"),)
_C = Syntax(("//",), _C_BLOCK)
_HASH = Syntax(("#",))
_XML = Syntax((), (("<!--", "-->"),), ())
_VALUES = Syntax(("#", ";"), (), ())

_LANGUAGES: tuple[tuple[str, Syntax], ...] = (
    ("c h cc cpp cxx hh hpp hxx mm proto sol d v sv cu", _C),
    ("cs java scala", Syntax(("//",), _C_BLOCK, ('"""', '"', "'"))),
    ("dart groovy gradle", Syntax(("//",), _C_BLOCK, ('"""', "'''", '"', "'"))),
    ("m", Syntax(("//", "%"), _C_BLOCK)),  # Objective-C or MATLAB
    ("js mjs cjs jsx ts mts cts tsx go", Syntax(("//",), _C_BLOCK, ('"', "'", "`"))),
    ("kt kts swift", Syntax(("//",), _C_BLOCK, ('"""', '"'))),
    ("rs zig", Syntax(("//",), _C_BLOCK, ('"',))),
    ("yar yara", _C),
    ("php", Syntax(("//", "#"), _C_BLOCK)),
    ("scss less styl jsonc json5 prisma", _C),
    ("css", Syntax((), _C_BLOCK)),
    ("tf tfvars hcl", Syntax(("#", "//"), _C_BLOCK, ('"',), anywhere=True)),
    ("py pyi pyx bzl star toml", Syntax(("#",), (), ('"""', "'''", '"', "'"), anywhere=True)),
    ("jl ex exs", Syntax(("#",), (), ('"""', '"'), anywhere=True)),
    ("rb rake gemspec", Syntax(("#",), (("=begin", "=end"),), anywhere=True)),
    ("r nix awk", Syntax(("#",), anywhere=True)),
    ("sh bash zsh fish ksh pl pm mk cmake tcl gitignore dockerignore gitattributes", _HASH),
    ("ps1 psm1", Syntax(("#",), (("<#", "#>"),))),
    ("properties", Syntax(("#", "!"), (), ())),
    ("ini editorconfig service desktop conf cfg env", _VALUES),
    ("sql", Syntax(("--",), _C_BLOCK, ("'",))),
    ("lua", Syntax(("--",), (("--[[", "]]"),))),
    ("hs elm purs", Syntax(("--",), (("{-", "-}"),), ('"',))),
    ("adb ads vhd vhdl", Syntax(("--",), (), ('"',))),
    ("lisp lsp el scm clj cljs edn rkt", Syntax((";",), (("#|", "|#"),), ('"',), anywhere=True)),
    ("asm s", Syntax((";", "#", "//"), _C_BLOCK, ('"',))),
    ("tex sty cls", Syntax(("%",), (), ())),
    ("erl hrl m4 mat", Syntax(("%",), (), ('"',), anywhere=True)),
    ("f f90 f95 f03 for", Syntax(("!",), anywhere=True)),
    ("vb vbs bas", Syntax(("'",), (), ('"',), anywhere=True)),
    ("bat cmd", Syntax(("REM ", "rem ", "::"), (), ())),
    ("vim", Syntax(('"',), (), ("'",))),
    ("ml mli fs fsi", Syntax(("//",), (("(*", "*)"),), ('"',))),
    ("pas", Syntax(("//",), (("{", "}"), ("(*", "*)")), ("'",))),
    ("pp", Syntax(("#", "//"), (*_C_BLOCK, ("(*", "*)")))),  # Puppet or Pascal
    ("html htm xml svg xhtml vue svelte plist csproj xaml xlf xliff", _XML),
    ("po pot", Syntax(("#",), (), ('"',))),
    ("graphql gql", Syntax(("#",), (), ('"""', '"'), anywhere=True)),
)
_BY_ENDING = {ending: syntax for endings, syntax in _LANGUAGES for ending in endings.split()}
_BY_NAME = dict.fromkeys(
    (
        "dockerfile containerfile makefile gnumakefile codeowners gemfile rakefile vagrantfile procfile brewfile "
        "justfile requirements.txt .env .gitignore .gitattributes .npmrc .bashrc"
    ).split(),
    _HASH,
) | {"jenkinsfile": _C, "go.mod": _C, "go.work": _C}

YAML = frozenset({"yml", "yaml"})
JSON = frozenset({"json", "ipynb", "jsonl", "webmanifest"})
# What stands between the comments is prose there; plain values, one a line, there.
MARKUP = frozenset("html htm xml svg xhtml vue svelte plist xlf xliff csproj xaml tex sty".split())
VALUES = frozenset("ini editorconfig service desktop conf cfg env properties".split())


def ending(path: str) -> str:
    """The last extension of a file name, in lower case, without the dot; empty if there is none."""
    name = path.rsplit("/", 1)[-1].lower()
    return name.rsplit(".", 1)[1] if "." in name else ""


def syntax_of(path: str) -> Syntax | None:
    """The syntax of a file, by its name or its extension; None for plain text and unknown kinds."""
    name = path.rsplit("/", 1)[-1].lower()
    stem = name.split(".", 1)[0]
    found = _BY_NAME.get(name) or _BY_ENDING.get(ending(path))
    if found is None and (stem in ("dockerfile", "makefile", "containerfile") or name.startswith(".env")):
        found = _HASH
    return found
