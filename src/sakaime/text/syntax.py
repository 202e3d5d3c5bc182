"""How languages write comments and strings. Data only; one line per language.

A language is (line comment signs, block comment pairs, string quotes). A quote of three characters, and
a quote listed in `MULTILINE`, may span lines. Signs in `BLANK_BEFORE` begin a comment only at the start
of a line or after a blank.
"""

from __future__ import annotations

from sakaime.model import Record


class Syntax(Record):
    """Signs that begin comments, pairs that enclose them, quotes that enclose strings."""

    line: tuple[str, ...] = ()
    block: tuple[tuple[str, str], ...] = ()
    quotes: tuple[str, ...] = ('"', "'")


MULTILINE = frozenset({"`", '"""', "'''"})
BLANK_BEFORE = frozenset({"#", "%", ";", "!", "::", "REM ", "rem ", "'"})

_C_BLOCK = (("/*", "*/"),)
_C = Syntax(("//",), _C_BLOCK)
_HASH = Syntax(("#",))
_XML = Syntax((), (("<!--", "-->"),), ())

_LANGUAGES: tuple[tuple[str, Syntax], ...] = (
    ("c h cc cpp cxx hh hpp hxx m mm cs java scala dart proto groovy gradle sol d v sv cu", _C),
    ("js mjs cjs jsx ts mts cts tsx go", Syntax(("//",), _C_BLOCK, ('"', "'", "`"))),
    ("kt kts swift", Syntax(("//",), _C_BLOCK, ('"""', '"'))),
    ("rs zig", Syntax(("//",), _C_BLOCK, ('"',))),
    ("php", Syntax(("//", "#"), _C_BLOCK)),
    ("scss less styl jsonc json5 prisma", _C),
    ("css", Syntax((), _C_BLOCK)),
    ("tf tfvars hcl", Syntax(("#", "//"), _C_BLOCK, ('"',))),
    ("py pyi pyx bzl star", Syntax(("#",), (), ('"""', "'''", '"', "'"))),
    ("jl ex exs", Syntax(("#",), (), ('"""', '"'))),
    ("rb rake gemspec", Syntax(("#",), (("=begin", "=end"),))),
    (
        "sh bash zsh fish ksh pl pm r mk cmake toml nix conf cfg env tcl awk gitignore dockerignore gitattributes",
        _HASH,
    ),
    ("ps1 psm1", Syntax(("#",), (("<#", "#>"),))),
    ("properties", Syntax(("#", "!"), (), ())),
    ("ini editorconfig service desktop", Syntax((";", "#"), (), ('"',))),
    ("sql", Syntax(("--",), _C_BLOCK, ("'",))),
    ("lua", Syntax(("--",), (("--[[", "]]"),))),
    ("hs elm purs", Syntax(("--",), (("{-", "-}"),), ('"',))),
    ("adb ads vhd vhdl", Syntax(("--",), (), ('"',))),
    ("lisp lsp el scm clj cljs edn rkt", Syntax((";",), (("#|", "|#"),), ('"',))),
    ("asm s", Syntax((";", "#", "//"), _C_BLOCK, ('"',))),
    ("tex sty cls", Syntax(("%",), (), ())),
    ("erl hrl m4 mat", Syntax(("%",), (), ('"',))),
    ("f f90 f95 f03 for", Syntax(("!",))),
    ("vb vbs bas", Syntax(("'",), (), ('"',))),
    ("bat cmd", Syntax(("REM ", "rem ", "::"), (), ())),
    ("vim", Syntax(('"',), (), ("'",))),
    ("ml mli fs fsi", Syntax(("//",), (("(*", "*)"),), ('"',))),
    ("pas pp", Syntax(("//",), (("{", "}"), ("(*", "*)")), ("'",))),
    ("html htm xml svg xhtml vue svelte plist csproj xaml xlf xliff", _XML),
    ("po pot", Syntax(("#",), (), ('"',))),
    ("graphql gql", Syntax(("#",), (), ('"""', '"'))),
)
_BY_ENDING = {ending: syntax for endings, syntax in _LANGUAGES for ending in endings.split()}
_BY_NAME = dict.fromkeys(
    (
        "dockerfile containerfile makefile gnumakefile codeowners gemfile rakefile vagrantfile procfile brewfile "
        "justfile requirements.txt .env .gitignore .gitattributes .npmrc .bashrc"
    ).split(),
    _HASH,
) | {"jenkinsfile": _C, "go.mod": _C, "go.work": _C}

MARKDOWN = frozenset({"md", "markdown", "mdx", "mdc", "qmd", "rmd"})
YAML = frozenset({"yml", "yaml"})
JSON = frozenset({"json", "ipynb", "jsonl", "webmanifest"})
MARKUP = frozenset({"html", "htm", "xml", "svg", "xhtml", "vue", "svelte", "plist", "xlf", "xliff"})


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
