"""What the rules about secrets need besides their shapes: names of keys, zones, published values."""

from __future__ import annotations

from sakaime.model import Record


class Values(Record):
    """Names of keys, zones and published values of all packs together: RE2 patterns, compiled globs, plain words.

    `published` maps a hex SHA-256 of salt and value to product, place, CVE, class, and whether it tells by itself;
    `salts` are all salts.
    """

    secret: str
    not_secret: str
    carriers: str
    password: str
    production_words: tuple[str, ...]
    production_paths: tuple[tuple[bool, str], ...]
    production_content: tuple[str, ...]
    exempt_keys: tuple[str, ...]
    exempt_paths: tuple[tuple[bool, str], ...]
    ci_paths: tuple[tuple[bool, str], ...]
    ci_keys: tuple[str, ...]
    salts: tuple[str, ...]
    published: dict[str, tuple[str, str, str, str, bool]]
