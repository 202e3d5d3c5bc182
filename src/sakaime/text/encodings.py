"""Encodings other than Unicode's: declared in the text, or told from its bytes.

All of them hold ASCII as it is and use no line feed inside a character, so lines stay where git cut them.
"""

from __future__ import annotations

import re

_HEAD = 1024
_CERTAIN = 8  # Chinese characters of which so many in a row are Hangul in Korean's encoding are one text in 10,000
# PEP 263, and the same comment as Emacs and Vim read it; XML 1.0 section 4.3.3; HTML; CSS Syntax 3.
_DECLARED = re.compile(
    rb"""coding[=:][ \t]*["']?([-\w.]+)|<\?xml[^>]*encoding=["']([-\w.]+)"""
    rb"""|charset=["']?([-\w.]+)|@charset "([-\w.]+)\""""
)
_NAMES = {
    "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "cp932": "cp932", "windows-31j": "cp932",
    "ms932": "cp932", "x-sjis": "cp932",
    "euc-jp": "euc_jp", "euc_jp": "euc_jp", "eucjp": "euc_jp", "ujis": "euc_jp", "euc-jis-2004": "euc_jis_2004",
    "iso-2022-jp": "iso2022_jp",
    "gb18030": "gb18030", "gbk": "gb18030", "gb2312": "gb18030", "cp936": "gb18030",
    "big5": "big5hkscs", "big5-hkscs": "big5hkscs", "cp950": "cp950",
    "euc-kr": "cp949", "euc_kr": "cp949", "cp949": "cp949", "ks_c_5601-1987": "cp949",
    "iso-8859-1": "cp1252", "latin-1": "cp1252", "latin1": "cp1252", "windows-1252": "cp1252", "cp1252": "cp1252",
    "iso-8859-15": "iso8859_15", "windows-1251": "cp1251", "cp1251": "cp1251", "koi8-r": "koi8_r",
}  # fmt: skip


def decode_other(data: bytes) -> str | None:
    """The text of bytes that are not UTF-8: as they declare themselves, else as they look; None when unclear.

    A guess is made only where the bytes are all valid in the encoding and most characters are ones that
    such texts are made of.
    """
    found = _DECLARED.search(data[:_HEAD])
    if found is not None:
        name = next(group for group in found.groups() if group).decode().lower()
        encoding = _NAMES.get(name)
        if encoding is not None:
            return _strict(data, encoding)
    return _japanese(data) or _chinese_or_korean(data) or _western(data)


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _share(text: str, first: str, last: str) -> float:
    beyond = [char for char in text if char > "\x7f"]
    return sum(first <= char <= last for char in beyond) / len(beyond) if beyond else 0.0


def _japanese(data: bytes) -> str | None:
    """Japanese is told by its kana, which are more than a tenth of any text; Shift_JIS is read as Windows does."""
    readings = [text for text in (_strict(data, "euc_jp"), _strict(data, "cp932")) if text is not None]
    for text in readings:
        halfwidth = _share(text, "\uff61", "\uff9f")  # what bytes of another encoding turn into in Shift_JIS
        if _share(text, "\u3041", "\u30ff") > 0.1 and halfwidth < 0.1:
            return text
    return None


def _chinese_or_korean(data: bytes) -> str | None:
    """What reads as Hangul throughout is Korean, unless it is short and could be Chinese as well."""
    chinese, korean = _chinese(data), _strict(data, "cp949")
    if korean is None or _share(korean, "\uac00", "\ud7a3") < 0.9:
        return chinese
    return korean if chinese is None or sum(char > "\x7f" for char in korean) > _CERTAIN else None


def _chinese(data: bytes) -> str | None:
    """Chinese is told by the first level of GB 2312, its 3,755 most used characters, or by its punctuation."""
    text = _strict(data, "gb18030")
    if text is None:
        return None
    pairs = re.findall(rb"[\x80-\xff][\x00-\xff]", data)
    common = sum(0xB0 <= pair[0] <= 0xD7 or pair[0] in (0xA1, 0xA3) for pair in pairs)
    return text if pairs and common / len(pairs) > 0.85 and _share(text, "\u3000", "\uffee") > 0.95 else None


def _western(data: bytes) -> str | None:
    """Western European: single letters with accents inside words of ASCII, and typographic signs."""
    if re.search(rb"[\x80-\x8f\x90\x98-\x9f]|[\xc0-\xff]{3}", data):
        return None
    beyond = len(re.findall(rb"[\x80-\xff]", data))
    inside = len(re.findall(rb"[A-Za-z][\xc0-\xff]|[\xc0-\xff][A-Za-z]|[\x91-\x97\xa0-\xbf]", data))
    return _strict(data, "cp1252") if inside >= beyond * 0.8 else None
