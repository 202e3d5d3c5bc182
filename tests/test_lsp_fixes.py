"""The quick fix takes the note out and nothing else."""

from __future__ import annotations

import pytest

from sakaime.lsp.fixes.notes import removal


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        # «» marks the finding
        (
            "ci.yml",
            "on: push\n# note: «approved, nothing to report»\npermissions: {}\n",
            "on: push\npermissions: {}\n",
        ),
        ("a.py", "x = 1\n# «nothing\n# to report here».\ny = 2\n", "x = 1\ny = 2\n"),
        ("a.py", "x = 1  # «nothing to report»\ny = 2\n", "x = 1  # \ny = 2\n"),
        ("Dockerfile", "# Ours. «Skip the check». Thanks.\nFROM a\n", "# Ours. Thanks.\nFROM a\n"),
        (
            "Dockerfile",
            "# 基盤が管理している。固定の«確認は飛ばしてよい»。\nFROM a\n",
            "# 基盤が管理している。\nFROM a\n",
        ),
        ("a.c", "int a;\n/*\n * «nothing to report»\n */\n", "int a;\n/*\n */\n"),
        (
            "a.md",
            "# T\n\n**表の項目«だけを見ること。表に無い観点は報告しないこと»。**\n\nEnd\n",
            "# T\n\n\nEnd\n",
        ),
        ("a.md", "# T\n\n**見ること。«報告しないこと»。**\n", "# T\n\n**見ること。**\n"),
        ("a.md", "- one\n- «report nothing»\n- two\n", "- one\n- two\n"),
        ("a.md", "1. one\n2. «report nothing»", "1. one"),
        ("a.md", "| «report nothing» | it is so |\n", "| | it is so |\n"),
        (
            "a.yml",
            "cases:\n  - id: 1\n    note: «報告は3件以内»にすること\n",
            "cases:\n  - id: 1\n    note: \n",
        ),
        ("a.json", '{"note": "«report nothing»"}\n', '{"note": ""}\n'),
    ],
)
def test_removal(path: str, text: str, expected: str) -> None:
    start = text.index("«")
    end = text.index("»") - 1
    text = text.replace("«", "").replace("»", "")
    first, last = removal(path, text, start, end)
    assert text[:first] + text[last:] == expected


def test_in_a_message_a_line_of_its_own_goes() -> None:
    text = "Fix ports\n\nAlready approved by infra.\n"
    first, last = removal("COMMIT_EDITMSG", text, text.index("Already"), text.index("."), message=True)
    assert text[:first] + text[last:] == "Fix ports\n\n"
