"""Fits the tables of weights of the language packs: `python benchmarks/weights.py collect|fit|rate ...`.

    collect DIR... --out FILE     the prose, comments and strings of clones, as harmless texts (JSON lines)
    fit LANG... --natural FILE... writes `weights` of rules/weights/LANG.yaml
    rate LANG... --natural FILE.. by five-fold cross-validation: the share of notes that would be found, of harmless
                                  texts that would be reported, and of tactics that would be right

The notes and harmless texts that were written for this are in benchmarks/corpus (LANG.notes.jsonl with `tactic` and
`text`, LANG.harmless.jsonl with `text` and perhaps `path`). Natural texts come from clones of other repositories and
are not kept here. Needs scikit-learn (the dependency group `weights`).

The model is linear, so that a table is all of it: logistic regression on features weighed by naive Bayes ratios
(S. Wang and C. Manning, 2012). What a feature is, `sakaime.policy.weights` says.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from ruamel.yaml import YAML
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from sakaime.model import NotJudged
from sakaime.packs import shipped
from sakaime.policy import weights as scores
from sakaime.policy.pack import read_pack
from sakaime.policy.weights import features
from sakaime.text.chars import normalised
from sakaime.text.segments import blocks
from sakaime.text.source import Source, decode
from sakaime.text.units import block_view

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "benchmarks/corpus"
TABLE = "note"
STEM = 6
DOUBT = -200
RANGE = -1.2, 2.5  # no single word decides
NATURAL_WEIGHT = 0.5
REGULAR = 0.5  # C of the logistic regression
SMALLEST, SMALLEST_OF_TACTIC = 0.25, 0.5  # weights nearer to nothing are left out
MOST_BYTES, MOST_FILES = 200_000, 2500
TEXTS = re.compile(
    r"\.(?:md|mdx|rst|adoc|txt|py|js|ts|tsx|jsx|go|rs|java|kt|rb|php|ya?ml|toml|json|sh|vue|c|h|cpp|cs|html|tf|css)$"
)


def windows(text: str) -> list[str]:
    """The sentences of a text, and those two in a row: what is scored."""
    text = normalised(text)
    return [text[start:end] for start, end, _ in scores.windows(text)]


def in_file(path: str, text: str) -> Iterator[str]:
    """The windows of a file, as a check takes it apart."""
    source = Source(text)
    for block in blocks(path, source, False, None):
        yield from windows(block_view(source.text, block).text)


def collect(folders: Iterable[str], anchors: re.Pattern[str]) -> Iterator[dict[str, str]]:
    """The windows of what stands in clones at HEAD, and of their last messages, that hold an anchor."""
    for folder in folders:
        seen: set[str] = set()
        name = Path(folder).parent.name if Path(folder).name == "repo" else Path(folder).name
        for path, text in _files(folder):
            try:
                found = list(in_file(path, text))
            except (NotJudged, ValueError):
                continue
            for window in found:
                if 12 < len(window) < 2000 and window not in seen and anchors.search(window):
                    seen.add(window)
                    yield {"repository": name, "text": window}


def _files(folder: str) -> Iterator[tuple[str, str]]:
    names = sorted(_git(folder, "ls-tree", "-r", "-z", "--name-only", "HEAD").decode("utf-8", "replace").split("\0"))
    random.Random(1).shuffle(names)
    for path in [name for name in names if TEXTS.search(name) and "lock" not in name][:MOST_FILES]:
        data = _git(folder, "show", f"HEAD:{path}")
        if len(data) <= MOST_BYTES:
            try:
                yield path, decode(data)
            except NotJudged:
                continue
    for message in (
        _git(folder, "log", "-2000", "--no-merges", "--format=%B%x00").decode("utf-8", "replace").split("\0")
    ):
        yield "message.txt", message


def _git(folder: str, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", folder, *arguments], capture_output=True, check=False).stdout


def _lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


class Texts:
    """The texts of a language: notes with their tactics, harmless ones as groups of windows, natural windows."""

    def __init__(self, language: str, natural: list[str]) -> None:
        notes = _lines(CORPUS / f"{language}.notes.jsonl")
        self.notes = [normalised(note["text"]) for note in notes]
        self.tactics = [note["tactic"] for note in notes]
        self.harmless = [
            list(in_file(entry["path"], entry["text"])) if "path" in entry else windows(entry["text"])
            for entry in _lines(CORPUS / f"{language}.harmless.jsonl")
        ]
        model = next(pack.model for pack in map(read_pack, shipped.trees()) if pack.model.pack == language)
        self.anchors = re.compile(
            "|".join(
                f"(?:{e[3:] if e.startswith('re:') else re.escape(e)})" for e in model.words.get("anchor", ["re:."])
            ),
            re.IGNORECASE,
        )
        for rule in model.instructions:
            for example in rule.examples.bad:
                self.notes.append(normalised(example if isinstance(example, str) else example.text))
                self.tactics.append(rule.tactic)
            self.harmless += [windows(e if isinstance(e, str) else e.text) for e in rule.examples.good]
        self.harmless = [ws for ws in self.harmless if ws]
        self.natural = natural


class Model:
    """A fitted score: `weight` of each feature, `bias`."""

    def __init__(
        self, positive: list[str], negative: list[str], natural: list[str], smallest: float = SMALLEST
    ) -> None:
        self.vectors = CountVectorizer(analyzer=lambda text: features(text, STEM), binary=True, min_df=2)
        rows = self.vectors.fit_transform([*positive, *negative, *natural])
        labels = np.array([1] * len(positive) + [0] * (len(negative) + len(natural)))
        trust = np.array([1.0] * (len(positive) + len(negative)) + [NATURAL_WEIGHT] * len(natural))
        told = np.asarray(rows[labels == 1].sum(0)).ravel() + 0.5
        other = np.asarray(rows[labels == 0].multiply(trust[labels == 0][:, None]).sum(0)).ravel() + 0.5
        ratios = np.log((told / told.sum()) / (other / other.sum()))
        fitted = LogisticRegression(C=REGULAR, max_iter=500).fit(
            rows.multiply(ratios).tocsr(), labels, sample_weight=trust
        )
        self.weight = fitted.coef_.ravel() * ratios
        self.weight[abs(self.weight) < smallest] = 0.0
        self.weight = np.clip(self.weight, *RANGE)
        self.bias = float(fitted.intercept_[0])

    def scores(self, texts: list[str]) -> Any:
        if not texts:
            return np.zeros(0)
        return self.vectors.transform(texts) @ self.weight + self.bias

    def most(self, groups: list[list[str]]) -> Any:
        """The highest score in each group."""
        flat = self.scores([text for group in groups for text in group])
        ends = np.cumsum([len(group) for group in groups])
        return np.array([part.max() for part in np.split(flat, ends[:-1])])

    def lines(self) -> str:
        by_weight: dict[int, list[str]] = defaultdict(list)
        names = self.vectors.get_feature_names_out()
        for at in np.flatnonzero(self.weight):
            by_weight[round(100 * self.weight[at])].append(names[at])
        return "".join(
            f"{weight} {', '.join(sorted(by_weight[weight]))}\n" for weight in sorted(by_weight, reverse=True)
        )


def tactic_models(notes: list[str], tactics: list[str]) -> dict[str, Model]:
    """For each tactic the score that tells it from the others."""
    return {
        wanted: Model(
            [note for note, tactic in zip(notes, tactics, strict=True) if tactic == wanted],
            [note for note, tactic in zip(notes, tactics, strict=True) if tactic != wanted],
            [],
            SMALLEST_OF_TACTIC,
        )
        for wanted in sorted(set(tactics))
    }


def told(models: dict[str, Model], notes: list[str]) -> list[str]:
    names = sorted(models)
    scores = np.stack([models[name].scores(notes) - models[name].bias for name in names])
    return [names[at] for at in scores.argmax(0)]


def rate(language: str, natural: list[str], rates: Iterable[float]) -> None:
    """Prints what cross-validation says of a language."""
    texts = Texts(language, natural)
    groups = [[note] for note in texts.notes] + texts.harmless
    labels = np.array([1] * len(texts.notes) + [0] * len(texts.harmless))
    held = texts.natural[::3]
    used = [text for at, text in enumerate(texts.natural) if at % 3]
    scores, right = np.zeros(len(groups)), []
    outside = []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(groups, labels):
        model = Model(
            [groups[at][0] for at in train if labels[at]],
            [text for at in train if not labels[at] for text in groups[at]],
            used,
        )
        scores[test] = model.most([groups[at] for at in test])
        outside.append(model.scores(held))
        mine = [at for at in train if labels[at]]
        its = tactic_models([groups[at][0] for at in mine], [texts.tactics[at] for at in mine])
        asked = [at for at in test if labels[at]]
        right += [
            a == texts.tactics[at] for a, at in zip(told(its, [groups[at][0] for at in asked]), asked, strict=True)
        ]
    size = f"{labels.sum()} notes, {(labels == 0).sum()} harmless, {len(natural)} natural windows"
    print(f"{language}: {size}, {np.count_nonzero(model.weight)} weights; tactic right {np.mean(right):.2f}")
    for share in rates:
        least = float(np.mean([np.quantile(one, 1 - share) for one in outside]))
        found, reported = np.mean(scores[labels == 1] > least), np.mean(scores[labels == 0] > least)
        print(f"  {share:.4f} of natural windows: least {100 * least:.0f}, notes {found:.3f}, harmless {reported:.3f}")


def fit(language: str, natural: list[str], least: float) -> None:
    """Writes the table of a language."""
    texts = Texts(language, natural)
    model = Model(texts.notes, [text for group in texts.harmless for text in group], texts.natural)
    tactics = {name: one.lines() for name, one in tactic_models(texts.notes, texts.tactics).items()}
    table = {
        "least": least,
        "doubt": DOUBT,
        "stem": STEM,
        "bias": round(100 * model.bias),
        "words": model.lines(),
        "per_tactic": tactics,
    }
    path = ROOT / f"rules/weights/{language}.yaml"
    kept = path.read_text(encoding="utf-8").split("\nweights:\n")[0] if path.exists() else "instructions: []\n"
    from io import StringIO

    from ruamel.yaml.scalarstring import LiteralScalarString

    def literal(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: literal(entry) for key, entry in value.items()}
        return LiteralScalarString(value) if isinstance(value, str) else value

    out = StringIO()
    yaml = YAML()
    yaml.width = 1_000_000
    yaml.dump({"weights": {TABLE: literal(table)}}, out)
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{kept.rstrip()}\n\n{out.getvalue()}", encoding="utf-8")
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("collect", "fit", "rate"))
    parser.add_argument("names", nargs="+")
    parser.add_argument("--natural", nargs="*", default=[])
    parser.add_argument("--out")
    parser.add_argument("--least", type=int, default=0)
    parser.add_argument("--anchors", default=".")
    options = parser.parse_args()
    if options.what == "collect":
        with open(options.out, "w", encoding="utf-8") as file:
            for entry in collect(options.names, re.compile(options.anchors, re.IGNORECASE)):
                file.write(json.dumps(entry, ensure_ascii=False) + "\n")
        return
    natural = list(dict.fromkeys(line["text"] for name in options.natural for line in _lines(Path(name))))
    random.Random(0).shuffle(natural)
    for language in options.names:
        if options.what == "rate":
            rate(language, natural, (0.005, 0.002, 0.001, 0.0005, 0.0002))
        else:
            fit(language, natural, options.least)


if __name__ == "__main__":
    main()
