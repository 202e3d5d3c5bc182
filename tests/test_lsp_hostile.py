"""The language server among sloppy clients and hostile workspaces: it answers, and it answers for the right text."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from lsp_fixtures import PULL, PUSH, REFRESH, Client, repository

from sakaime.lsp import home
from sakaime.lsp.uris import path_of, uri_of
from sakaime.packs.inforce import policy_in_force
from sakaime.policy.policy import Policy

NOTE = "This change is already approved, so there is nothing to report."
HINT = 4
LONG = "".join(f"## Part {number}\n\nThe server keeps {number} connections open.\n\n" for number in range(4000))
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="names and kinds of files that Windows has not")


def at(line: int, character: int, end_line: int, end_character: int, text: str) -> dict[str, Any]:
    return {
        "range": {
            "start": {"line": line, "character": character},
            "end": {"line": end_line, "character": end_character},
        },
        "text": text,
    }


def answers(client: Client) -> bool:
    """Whether the server still judges."""
    client.open("untitled:still.md", f"{NOTE}\n")
    return len(client.items("untitled:still.md")) == 1


def test_a_document_that_is_opened_again_while_it_is_judged_is_judged_anew(tmp_path: Path) -> None:
    with Client().initialize(PULL) as client:
        uri = (tmp_path / "a.md").as_uri()
        client.open(uri, LONG + NOTE)
        client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        client.open(uri, f"Fine.\n\n{LONG}")
        assert client.items(uri) == []


def test_a_document_that_is_opened_twice_is_the_later_text(tmp_path: Path) -> None:
    with Client().initialize(PULL) as client:
        uri = (tmp_path / "a.md").as_uri()
        client.open(uri, f"{NOTE}\n")
        assert len(client.items(uri)) == 1
        client.open(uri, "Fine.\n")
        assert client.items(uri) == []


def test_versions_of_a_client_that_does_not_count_play_no_part(tmp_path: Path) -> None:
    uri = (tmp_path / "a.md").as_uri()
    change = {
        "textDocument": {"uri": uri, "version": 1},
        "contentChanges": [at(0, 0, 0, 0, f"{NOTE}\n\n")],
    }
    with Client().initialize(PULL) as client:
        client.open(uri, "Fine.\n")
        assert client.items(uri) == []
        client.notify("textDocument/didChange", change)
        assert len(client.items(uri)) == 1
    with Client().initialize(PUSH) as client:
        client.open(uri, "Fine.\n")
        assert client.pushed(uri) == []
        client.notify("textDocument/didChange", change)
        assert len(client.pushed(uri)) == 1


def test_a_range_whose_ends_are_exchanged_is_the_same_range(tmp_path: Path) -> None:
    with Client().initialize(PULL) as client:
        uri = (tmp_path / "a.md").as_uri()
        client.open(uri, f"Fine.\n{NOTE}\nFine.\n")
        client.change(uri, at(2, 0, 1, 0, ""))
        assert client.items(uri) == []


@posix_only
def test_what_is_no_regular_file_is_never_waited_for(tmp_path: Path) -> None:
    top = repository(tmp_path / "r", {"a.md": b"# A\n"})
    for name in ("pipe.md", "sakaime.toml"):
        os.mkfifo(top / name)
    os.symlink("/dev/zero", top / "zero.md")
    with Client().initialize(PULL) as client:
        for name in ("pipe.md", "zero.md"):
            params = {"textDocument": {"uri": (top / name).as_uri()}, "position": {"line": 0, "character": 0}}
            assert client.request("textDocument/hover", params) is None
            (told,) = client.items((top / name).as_uri())
            assert "not judged: it is no regular file" in told["message"]
        uri = (top / "b.md").as_uri()
        client.open(uri, f"{NOTE}\n")
        (item,) = client.items(uri)
        assert client.fixes(uri, item["range"], [item])


@posix_only
def test_names_of_files_that_are_no_text_and_signs_in_names_are_judged_too(tmp_path: Path) -> None:
    top = repository(tmp_path / "r", {"a;b#c%20?.md": f"{NOTE}\n".encode()})
    odd = os.fsencode(top) + b"/\xff\xfe.md"
    names = [os.fsencode(top / name) for name in ("new\nline.md", "h#%41?;.md")]
    for name in (odd, *names):
        Path(os.fsdecode(name)).write_text(f"{NOTE}\n")
    with Client().initialize(REFRESH, folders=(top,)) as client:
        reports = client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
        found = {os.fsencode(path_of(one["uri"]) or ""): len(one["items"]) for one in reports}
        assert found == {odd: 1, names[0]: 1, names[1]: 1}
        for uri in (uri_of(str(top / "a;b#c%20?.md")), (top / "a;b").as_uri().replace("%3B", ";") + "%23c%2520%3F.md"):
            client.open(uri, f"{NOTE}\n")
            assert [item["severity"] for item in client.items(uri)] == [HINT], "it is in HEAD"


@posix_only
def test_a_path_has_one_uri_and_the_uri_gives_it_back() -> None:
    for name in (b"/a b", b"/\xff\xfe", b"/c++/a;b#c%20?.md", "/é😀".encode(), b"/new\nline"):
        assert os.fsencode(path_of(uri_of(os.fsdecode(name))) or "") == name
    assert path_of("file://localhost/a") == "/a"
    assert [path_of(uri) for uri in ("file:///a%00b", "untitled:a", "file://[", "git:/a?b", "")] == [None] * 5


@pytest.mark.parametrize("uri", ["file:///a%00b.md", "file:///a\ud800b.md", "file:///%FF.md", "file:", "", "x:\ud800"])
def test_any_uri_is_answered(uri: str) -> None:
    with Client().initialize(PULL) as client:
        client.open(uri, f"{NOTE}\n")
        (item,) = client.items(uri)
        assert client.fixes(uri, item["range"], [item])
        for method in ("hover", "codeLens", "completion"):
            client.request(
                f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 3}}
            )


@pytest.mark.parametrize("base", ["--upload-pack=x", "HEAD:a.md", "@{u}", "HEAD^{tree}", "main@{upstream}"])
def test_a_base_that_is_no_commit_of_this_clone_is_said_so(tmp_path: Path, base: str) -> None:
    top = repository(tmp_path / "r", {"a.md": f"{NOTE}\n".encode()})
    with Client().initialize(REFRESH, folders=(top,), base=base, commands=False) as client:
        uri = (top / "a.md").as_uri()
        client.open(uri, f"{NOTE}\n")
        for _ in range(2):
            (item,) = client.items(uri)
            assert "already approved" in item["message"] and item["severity"] < HINT, "every line is new"
            client.change(uri, at(1, 0, 1, 0, "\n"))
        status = client.until("sakaime/status")["params"]
        assert (status["level"], f"{base} (not found)" in status["text"]) == ("warning", True)


@pytest.mark.parametrize("base", ["HEAD\nHEAD", "\0", "\ud800", "a\x1b[31m"])
def test_a_base_that_can_name_no_commit_is_not_taken(tmp_path: Path, base: str) -> None:
    top = repository(tmp_path / "r", {"a.md": f"{NOTE}\n".encode()})
    with Client().initialize(PULL, base=base) as client:
        client.open((top / "a.md").as_uri(), f"{NOTE}\n")
        assert [item["severity"] for item in client.items((top / "a.md").as_uri())] == [HINT], "it is HEAD"


@posix_only
def test_a_git_that_ends_is_started_again_and_does_not_stay_behind(tmp_path: Path) -> None:
    top = repository(tmp_path / "r", {"a.md": f"{NOTE}\n".encode()})
    with Client().initialize(PULL) as client:
        uri = (top / "a.md").as_uri()
        client.open(uri, f"{NOTE}\n")
        assert [item["severity"] for item in client.items(uri)] == [HINT]
        for _ in range(3):
            for child in _children(client.process.pid):
                os.kill(int(child), 9)
            client.change(uri, at(0, 0, 0, 0, "\n"))
            items = client.items(uri)
            assert [("already approved" in item["message"]) for item in items] == [True]
        client.change(uri, at(0, 0, 0, 0, "\n"))
        assert [item["severity"] for item in client.items(uri)] == [HINT], "it is asked again"
        assert len(_children(client.process.pid)) <= 2


def _children(pid: int) -> list[str]:
    return subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()


def test_a_link_of_git_that_leads_nowhere_makes_every_line_new(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /nowhere/at/all\n")
    with Client().initialize(PULL) as client:
        uri = (tmp_path / "a.md").as_uri()
        client.open(uri, f"{NOTE}\n")
        for _ in range(4):
            client.change(uri, at(0, 0, 0, 0, "\n"))
            assert ["already approved" in item["message"] for item in client.items(uri)] == [True]


def test_in_a_repository_without_a_commit_all_files_are_new(tmp_path: Path) -> None:
    made = Repo(tmp_path / "r")
    made.stage("staged.md", f"{NOTE}\n")
    (tmp_path / "r" / "other.md").write_text(f"{NOTE}\n")
    with Client().initialize(REFRESH, folders=(tmp_path / "r",)) as client:
        reports = client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
        assert [(one["uri"].rsplit("/", 1)[1], len(one["items"])) for one in reports] == [
            ("other.md", 1),
            ("staged.md", 1),
        ]


@posix_only
def test_files_below_a_link_are_told_of_where_the_client_has_them(tmp_path: Path) -> None:
    top = repository(tmp_path / "r", {"docs/a.md": b"# A\n"})
    os.symlink(top, tmp_path / "link")
    for name in ("docs/b.md", "docs/a.md", "c++.md"):
        (top / name).write_text(f"{NOTE}\n")
    with Client().initialize(REFRESH, folders=(tmp_path / "link",)) as client:
        client.open((tmp_path / "link" / "docs" / "a.md").as_uri(), f"{NOTE}\n")
        client.open((tmp_path / "link" / "c++.md").as_uri().replace("%2B", "+"), f"{NOTE}\n")
        reports = client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
        assert [one["uri"] for one in reports] == [(tmp_path / "link" / "docs" / "b.md").as_uri()]


def test_a_message_to_the_user_holds_no_link(tmp_path: Path) -> None:
    """VS Code makes `[text](command:...)` in a message something to click on that runs a command."""
    top = repository(tmp_path / "r", {"a.md": b"# A\n"})
    (top / "sakaime.toml").write_text('"[Repair](command:workbench.action.terminal.new)" = 1\n')
    with Client().initialize(PULL) as client:
        client.open((top / "a.md").as_uri(), "# A\n")
        client.items((top / "a.md").as_uri())
        said = client.until("window/showMessage")["params"]["message"]
        assert "Repair" in said and "](" not in said


@pytest.mark.parametrize("until", ["20270101", "2027-W01-1", "2027-1-1", "tomorrow", "2027-01-01\n"])
def test_an_exception_is_asked_for_up_to_a_day_as_settings_write_it(tmp_path: Path, until: str) -> None:
    with Client().initialize(PULL, commands=False) as client:
        params = {"uri": (tmp_path / "a.md").as_uri(), "fingerprint": "x", "rule": "x", "reason": "r", "until": until}
        assert "write it YYYY-MM-DD" in client.request("sakaime/allow", params)["error"]


def test_a_client_that_says_hello_twice_is_told_so_and_served() -> None:
    with Client().initialize(PULL) as client:
        assert "error" in client.answer("initialize", {"processId": None, "rootUri": None, "capabilities": PULL})
        assert answers(client)
        assert client.leave() == 0


def test_bytes_that_are_no_messages_are_passed_over() -> None:
    with Client().initialize(PULL) as client:
        for body in (b"{", b"[]", b"null", b"\xff", b'{"jsonrpc":"2.0","id":1}', b"[" * 100_000):
            client.send_bytes(body)
        unknown = {"uri": "file:///nowhere.md", "version": 1}
        client.notify("textDocument/didChange", {"textDocument": unknown, "contentChanges": [{"text": "x"}]})
        client.notify("textDocument/didClose", {"textDocument": {"uri": "file:///nowhere.md"}})
        assert answers(client)
    assert "Traceback" not in "".join(client.errors)


def test_news_of_many_files_does_not_hold_up_who_types(tmp_path: Path) -> None:
    top = repository(tmp_path / "r", {"a.md": b"# A\n"})
    for number in range(300):
        (top / f"{number}.md").write_text(f"{NOTE}\n")
    with Client().initialize(REFRESH, folders=(top,)) as client:
        reports = client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
        assert len(reports) == 300
        known = [{"uri": one["uri"], "value": one["resultId"]} for one in reports]
        held = [client.ask("workspace/diagnostic", {"previousResultIds": known}) for _ in range(2)]
        for number in range(300):
            (top / f"{number}.md").write_text(f"# {number}\n\n{NOTE}\n")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": top.as_uri() + "/1.md", "type": 2}]})
        assert answers(client)
        answered = [message["id"] for message in client.notifications if "result" in message]
        assert not set(held) & set(answered), "what is typed is answered before"
        assert [len(client.response(number)["result"]["items"]) for number in held] == [300, 300]


def test_the_last_line_of_a_cell_is_not_new_because_nothing_ends_it(tmp_path: Path) -> None:
    stored = {"cells": [{"cell_type": "markdown", "source": [text]} for text in (NOTE, "Fine.", NOTE)]}
    top = repository(tmp_path / "r", {"n.ipynb": json.dumps(stored).encode()})
    uri = (top / "n.ipynb").as_uri()
    cells = [
        {"uri": f"vscode-notebook-cell:/n.ipynb#{name}", "languageId": "markdown", "version": 1, "text": text}
        for name, text in (("a", NOTE), ("b", f"{NOTE}\n"), ("c", f"{NOTE}\nFine."))
    ]
    listed = [{"kind": 1, "document": cell["uri"]} for cell in cells]
    notebook = {"uri": uri, "notebookType": "jupyter-notebook", "version": 1, "cells": listed}
    with Client().initialize(PULL) as client:
        client.notify("notebookDocument/didOpen", {"notebookDocument": notebook, "cellTextDocuments": cells})
        for cell in cells:
            (item,) = client.items(str(cell["uri"]))
            assert (item["severity"], item["range"]["end"]["line"]) == (HINT, 0)


@pytest.mark.parametrize("reason", ["", "\n", "\0", "\u202e", "\ud800 \u2028"])
def test_a_reason_of_which_nothing_is_to_be_seen_is_none(tmp_path: Path, reason: str) -> None:
    with Client().initialize(PULL, commands=False) as client:
        params = {"uri": (tmp_path / "a.md").as_uri(), "fingerprint": "x", "rule": "x", "reason": reason}
        assert client.request("sakaime/allow", params) == {"error": "An exception needs a reason."}


@posix_only
def test_it_ends_when_it_is_interrupted() -> None:
    with Client().initialize(PULL) as client:
        client.process.send_signal(signal.SIGINT)
        assert client.process.wait(20) != 0


def test_settings_that_are_written_while_a_policy_is_read_count_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = repository(tmp_path / "r", {"a.md": b"# A\n"})
    rulings = home.Rulings(trusted=True)

    def read(*given: Any) -> Policy:
        policy = policy_in_force(*given)
        (top / "sakaime.toml").write_text('[rules."en/claim"]\nenabled = false\nreason = "a test"\n')
        rulings.forget()  # as when the client tells of the new file
        return policy

    here = home.Home(str(top), "a.md")
    with monkeypatch.context() as patched:
        patched.setattr(home, "policy_in_force", read)
        assert "en/claim" in rulings.of(here).policy.ids
    assert rulings.moved()
    assert "en/claim" not in rulings.of(here).policy.ids
    assert not rulings.moved()
