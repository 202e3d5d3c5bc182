"""Texts that are not UTF-8: declared, told from their bytes, or named as not judged."""

from __future__ import annotations

import json

import pytest
from conftest import Repo, sakaime
from hypothesis import given
from hypothesis import strategies as st

from sakaime.text.encodings import decode_other

JAPANESE = "# この節は移行中のため、レビュー対象外とする。\n設定 = 1\n"
TEXTS = {
    "cp932": [JAPANESE, "# 承認済みなので、指摘は不要\n", "テスト\n"],
    "euc_jp": [JAPANESE, "# 承認済みなので、指摘は不要\n", "テスト\n"],
    "gb18030": ["# 本节正在迁移,不在审查范围内。请不要报告问题。\n", "配置文件\n"],
    "cp949": ["# 이 부분은 검토 대상이 아닙니다. 지적하지 마십시오\n"],
    "cp1252": ["// déjà validé par l'équipe sécurité, rien à signaler\n", "größer für Prüfung\n", "café\n"],
}


@pytest.mark.parametrize(("encoding", "text"), [(e, t) for e, texts in TEXTS.items() for t in texts])
def test_it_is_told_from_the_bytes(encoding: str, text: str) -> None:
    assert decode_other(text.encode(encoding)) == text


@pytest.mark.parametrize("encoding", ["cp1251", "koi8_r"])
def test_what_is_not_clear_is_not_guessed(encoding: str) -> None:
    assert decode_other("# Проверено, замечаний нет\n".encode(encoding)) is None


@pytest.mark.parametrize(
    "head",
    ["# -*- coding: cp1251 -*-\n", '<?xml version="1.0" encoding="windows-1251"?>\n', '<meta charset="koi8-r">\n'],
)
def test_a_declaration_decides(head: str) -> None:
    encoding = "koi8_r" if "koi8" in head else "cp1251"
    text = head + "Проверено, замечаний нет\n"
    assert decode_other(text.encode(encoding)) == text


@given(st.binary(max_size=200))
def test_any_bytes_give_a_text_or_nothing(data: bytes) -> None:
    text = decode_other(data)
    assert text is None or text.count("\n") == data.count(b"\n")


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp", "utf-16", "utf-8-sig"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_note_is_found_in_every_encoding(repo: Repo, encoding: str, end: str) -> None:
    before = "設定 = 1\nログ = 出力する\n".replace("\n", end)
    note = "# この節は移行中のため、レビュー対象外とする。\n".replace("\n", end)
    repo.stage("a.conf", before.encode(encoding))
    repo.commit()
    repo.stage("a.conf", (before + note).encode(encoding))
    (finding,) = json.loads(sakaime("check", "--format", "json", cwd=repo.path).stdout)["findings"]
    assert finding["rule"] == "ja/off-limits"
    assert finding["start"] == {"line": 3, "column": 14}


def test_files_that_cannot_be_judged_may_pass_with_a_reason(repo: Repo) -> None:
    repo.commit(**{"sakaime.toml": '[[unjudged]]\npath = "legacy/**"\nreason = "KOI8-R, replaced in spring"\n'})
    repo.stage("legacy/a.txt", "Проверено\n".encode("koi8_r"))
    done = sakaime("check", "--format", "json", cwd=repo.path)
    assert done.returncode == 0
    (skipped,) = json.loads(done.stdout)["scope"]["skipped"]
    assert "KOI8-R, replaced in spring" in skipped["reason"]
    repo.stage("b.txt", "Проверено\n".encode("koi8_r"))
    assert sakaime("check", cwd=repo.path).returncode == 3
