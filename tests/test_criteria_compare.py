"""What a change of a criteria document takes from a review, and what it does not."""

from __future__ import annotations

from pathlib import Path

from criteria_fixtures import DOCUMENTS, JUDGES, RULES, document
from hypothesis import given, settings
from hypothesis import strategies as st

from sakaime.checks import criteria
from sakaime.checks.criteria.comparing.compare import compare
from sakaime.checks.criteria.comparing.loss import Loss
from sakaime.checks.criteria.documents import config
from sakaime.checks.criteria.documents.markdown import items
from sakaime.checks.criteria.item import BULLET, TASK, Document
from sakaime.material.change import Blob, Change, Material
from sakaime.packs.inforce import policy_in_force


def _losses(old: Document | None, new: Document | None, *others: tuple[Document | None, Document | None]) -> list[Loss]:
    return list(compare([(old, new), *others], JUDGES, lambda path: "archive" not in path))


def _told(old: Document, new: Document) -> list[tuple[str, int, str]]:
    return [(loss.change, new.text.count("\n", 0, loss.start) + 1, loss.item.text) for loss in _losses(old, new)]


def _list(*texts: str) -> list[str]:
    return [f"- {text}" for text in texts]


def test_a_removed_item_stands_where_the_next_one_is_now() -> None:
    old = document("# Review", "", *_list(*RULES[:4]))
    assert _told(old, document("# Review", "", *_list(*RULES[1:4]))) == [("removed", 3, RULES[0])]
    assert _told(old, document("# Review", "", *_list(*RULES[:3]))) == [("removed", 5, RULES[3])]
    assert _told(old, document("# Review", "", *_list(RULES[0], *RULES[2:4]))) == [("removed", 4, RULES[1])]


def test_a_removed_item_stands_at_what_took_its_place_or_comments_it_out() -> None:
    old = document(*_list(*RULES[:4]))
    new = document(*_list(RULES[0], "Screens fit a small phone", *RULES[2:4]))
    assert _told(old, new) == [("removed", 2, RULES[1])]
    new = document(*_list(RULES[0], *RULES[2:4]), "", f"% <!-- - {RULES[1]} -->")
    assert _told(old, new) == [("removed", 5, RULES[1])]


def test_a_removed_item_among_reordered_ones_stands_at_the_one_it_followed() -> None:
    old = document(*_list(*RULES[:4]))
    assert _told(old, document(*_list(RULES[3], RULES[2], RULES[0]))) == [("removed", 3, RULES[1])]


def test_a_gone_exclusion_or_limit_is_no_loss() -> None:
    kept = _list(*RULES[:3])
    assert not _losses(document(*kept, "# Do not report", "- Spelling"), document(*kept, "# Do not report"))
    assert not _losses(document(*kept, "Only report what loses data."), document(*kept))


def test_a_sentence_that_describes_is_no_criterion() -> None:
    kept = _list(*RULES[:3])
    assert not _losses(document("This is a small service.", *kept), document(*kept))
    told = _told(document("Every change is read by two people.", *kept), document(*kept))
    assert told == [("removed", 1, "Every change is read by two people.")]


def test_a_table_of_contents_is_no_criterion() -> None:
    old = document("- Ledger", "- Vouchers", "# Ledger", "- It is locked while it is written", "# Vouchers")
    assert not _losses(old, document("# Ledger", "- It is locked while it is written", "# Vouchers"))


def test_a_parent_that_goes_with_its_children_is_one_loss() -> None:
    old = document("- Content", "  - Pictures name their author", "- Access", *(f"  - {text}" for text in RULES[:3]))
    (loss,) = _losses(old, document("- Content", "  - Pictures name their author"))
    assert loss.item.text == "Access" and [other.text for other in loss.others] == list(RULES[:3])


def test_a_section_that_goes_as_a_whole_is_one_loss_and_one_that_was_dissolved_none() -> None:
    old = document("# Data", *_list(*RULES[:2]), "# Code", *_list(*RULES[2:5]))
    (loss,) = _losses(old, document("# Code", *_list(*RULES[2:5])))
    assert loss.item.text == "Data" and len(loss.others) == 2
    assert not _losses(old, document("# Code", *_list(*RULES[:5])))
    assert [loss.item.text for loss in _losses(old, document("# Code", *_list(*RULES[1:5])))] == [RULES[0]]


def test_a_weaker_item_is_told_of_at_its_new_place() -> None:
    old, new = document("", "- Schemas must be versioned"), document("- Schemas should be versioned")
    assert _told(old, new) == [("weakened", 1, "Schemas should be versioned")]
    assert not _losses(new, old)


def test_a_heading_that_weakens_what_stands_below_it_is_one_loss() -> None:
    old, new = document("# Data", *_list(*RULES[:3])), document("# Data (optional)", *_list(*RULES[:3]))
    (loss,) = _losses(old, new)
    assert loss.change == "weakened" and loss.item == new.items[0] and len(loss.others) == 3
    assert not _losses(old, document("# What we store", *_list(*RULES[:3])))


def test_a_clause_that_is_left_out_is_a_loss_and_one_in_other_words_is_not() -> None:
    old = document("- A new table has an owner, a retention period and a backup plan")
    (loss,) = _losses(old, document("- A new table has an owner and a retention period"))
    assert loss.change == "weakened" and "backup plan" in loss.why
    for same in (
        ["- A new table has an owner, a retention period and a way to restore it"],
        ["- A backup plan, an owner and a retention period come with a new table"],
        ["- A new table has an owner.", "- A new table has a retention period.", "- A new table has a backup plan."],
    ):
        assert not _losses(old, document(*same))
    (loss,) = _losses(
        document("- 新しい表には所有者、保存期間、復旧手順を書く"), document("- 新しい表には所有者と保存期間を書く")
    )
    assert loss.change == "weakened"


def test_a_reason_or_a_condition_that_is_left_out_is_no_loss() -> None:
    for text in ("because logs are kept for years", "when a request fails", "for example in a trace"):
        old = document(f"- Tokens are never written to a log, {text}")
        assert not _losses(old, document("- Tokens are never written to a log"))


def test_a_new_limit_or_exclusion_narrows() -> None:
    rules = _list(*RULES[:3])
    assert _told(document(*rules), document(*rules, "Only report what loses data."))[0][:2] == ("narrowed", 4)
    old = document(*rules, "# Do not report", "- Spelling of comments")
    new = document(*rules, "# Do not report", "- Spelling of comments", "- Missing bounds in the driver")
    assert _told(old, new) == [("narrowed", 6, "Missing bounds in the driver")]
    new = document(*rules, "# Do not report", "- Spelling of comments and missing bounds")
    assert _told(old, new) == [("narrowed", 5, "Spelling of comments and missing bounds")]


def test_settings() -> None:
    old = document("a.on: true", "a.checks[]: gosec", "a.checks[]: lll", "!a.skip[]: gen/**", path="a.yml")
    new = document("a.on: false", "a.checks[]: lll", "!a.skip[]: gen/**", "!a.skip[]: src/**", path="a.yml")
    assert _told(old, new) == [("weakened", 1, "false"), ("removed", 2, "gosec"), ("narrowed", 4, "src/**")]
    assert _told(new, old) == []
    inside = document("a.on: true", "a.checks[]: gosec", "a.checks[]: lll", "!a.skip[]: gen/a/**", path="a.yml")
    assert not _losses(old, inside)


def test_a_glob_that_holds_less_narrows_and_one_that_holds_more_does_not() -> None:
    old, new = document("applyTo: **/*.py"), document("applyTo: jobs/*.py")
    assert [change for change, _, _ in _told(old, new)] == ["narrowed"] and not _losses(new, old)


def test_a_scope_that_shrinks_is_told_of_once() -> None:
    old = document(*_list(*RULES[:3]))
    wide, narrow = (
        old.replace(items=tuple(i.replace(scope=s) for i in old.items)) for s in (("**/*.py",), ("a/*.py",))
    )
    assert [loss.change for loss in _losses(wide, narrow.replace(text=f"{old.text}\n"))] == ["narrowed"]
    assert not _losses(narrow, wide)


def test_owners() -> None:
    old = document("@* @a/all", "@/vault/ @a/crypto", "@/login/ @a/ids", path="CODEOWNERS")
    assert [t[:2] for t in _told(old, document("@* @a/all", "@/login/ @a/ids"))] == [("removed", 2)]
    assert [t[0] for t in _told(old, document("@* @a/all", "@/vault/ @a/crypto", "@/login/"))] == ["narrowed"]
    assert not _losses(old, document("@* @a/all", "@/vault/ @a/keys", "@/login/ @a/ids"))
    added = document("@* @a/all", "@/vault/ @a/crypto", "@/login/ @a/ids", "@/login/locks/")
    assert [t[:2] for t in _told(old, added)] == [("narrowed", 4)]


def test_a_late_line_that_overrides_others_is_one_loss() -> None:
    old = document("@* @a/all", "@/vault/ @a/crypto", "@/login/ @a/ids", path="CODEOWNERS")
    new = document("@* @a/all").items[0].replace(start=32, end=40)
    text = "/vault/ @a/crypto\n/login/ @a/ids\n* @a/all"
    (loss,) = _losses(old, Document("CODEOWNERS", text, (new.replace(start=33, end=41),)))
    assert loss.item.key == "*" and text.count("\n", 0, loss.start) == 2


def test_a_line_that_a_wider_one_of_the_same_owner_replaces_is_no_loss() -> None:
    assert not _losses(document("@* @a", "@/docs/ @b", "@/docs/api/ @b"), document("@* @a", "@/docs/ @b"))


def test_one_lowered_severity_is_a_loss_and_a_renamed_ladder_none() -> None:
    old = document("- [Red] Writes are lost", "- [Amber] A label is not translated", "- Names are odd")
    assert not _losses(
        old, document("- [Stop] Writes are lost", "- [Fix] A label is not translated", "- Names are odd")
    )
    old = document("- [critical] Writes are lost", "- [minor] A label is not translated", "- [minor] Names are odd")
    new = document("- [minor] Writes are lost", "- [minor] A label is not translated", "- [minor] Names are odd")
    assert _told(old, new) == [("weakened", 1, "[minor] Writes are lost")]
    lowered = document("- [minor] Writes are lost", "- [nit] A label is not translated", "- [nit] Names are odd")
    assert len(_losses(old, lowered)) == 3


def test_a_document_that_is_gone_or_emptied() -> None:
    old = document("# Review", *_list(*RULES[:3]))
    for new in (None, Document("REVIEW.md", " \n", ())):
        (loss,) = _losses(old, new)
        assert (loss.change, loss.start, loss.path) == ("deleted", 0, "REVIEW.md") and len(loss.others) == 2
    assert not _losses(document("# Title"), None)


def test_a_document_whose_items_stand_in_another_one_now() -> None:
    old, there = document(*_list(*RULES[:3])), document("# New", *_list(*RULES[:3]), path="AGENTS.md")
    assert not _losses(old, None, (None, there))
    (loss,) = _losses(old, None, (None, there.replace(path="archive/x.md")))
    assert loss.change == "moved"
    (loss,) = _losses(old, None, (None, document(*_list(*RULES[:2]), path="AGENTS.md")))
    assert loss.change == "deleted" and loss.item.text == RULES[2] and not loss.others


def test_a_document_that_points_to_another_one() -> None:
    old, there = document(*_list(*RULES[:3])), document("# Same", *_list(*RULES[:3]), path="docs/AGENTS.md")
    for text in ("Read @AGENTS.md", "docs/AGENTS.md", "See [the rules](docs/AGENTS.md)."):
        assert not _losses(old, document(text), (there, there)), text
    (loss,) = _losses(old, document("Read @OTHER.md"), (there, there))
    assert loss.change == "removed" and len(loss.others) == 2


def test_an_item_that_moves_to_another_document() -> None:
    old, new = document(*_list(*RULES[:3])), document(*_list(*RULES[:2]))
    assert not _losses(old, new, (document("# A", path="B.md"), document("# A", *_list(RULES[2]), path="B.md")))
    there = document("# A", *_list(RULES[2]), path="archive/b.md")
    (loss,) = _losses(old, new, (None, there))
    assert loss.change == "moved" and loss.item.text == RULES[2]


def test_a_renamed_document() -> None:
    old = document(*_list(*RULES[:3]))
    assert not _losses(old, old.replace(path="docs/REVIEW.md"))
    (loss,) = _losses(old, old.replace(path="archive/REVIEW.md"))
    assert (loss.change, loss.path) == ("moved", "archive/REVIEW.md")


def test_a_rewritten_document_is_one_loss() -> None:
    (loss,) = _losses(document("# Review", *_list(*RULES)), document("# Culture", "We trust one another."))
    assert (loss.change, loss.start) == ("removed", 0) and "7 criteria" in loss.why and len(loss.others) == 6


def test_a_translation_is_no_loss() -> None:
    old = document("# Rules", "- Queries use bound values", "- Seats are sold once")
    assert not _losses(old, document("# 規則", "- 問い合わせには値を束縛する", "- 座席は一度だけ売る"))


def test_a_text_that_was_said_twice_may_be_said_once() -> None:
    once = document("# Data", *_list(*RULES[:3]))
    assert not _losses(document("# Data", *_list(*RULES[:3], RULES[0])), once)
    both = document("# Server", "- Tests exist", "# Client", "- Tests exist", "- Names are short")
    assert len(_losses(both, document("# Server", "- Tests exist", "# Client", "- Names are short"))) == 1


def test_an_example_in_a_fence_is_no_criterion() -> None:
    old = document("This is a sample:", "- The map does not open")
    shown = old.replace(items=(old.items[0], old.items[1].replace(sample=True)))
    assert not _losses(shown, document("This is a sample:"))
    prompt = shown.replace(items=(old.items[0].replace(text="Prompt:"), shown.items[1]))
    assert len(_losses(prompt, document("Prompt:"))) == 1


def test_a_filter_that_comes_behind_its_exception_narrows() -> None:
    old = document("!f[]: src/**", "f[]: src/keep/**", "f[]: docs/**", path="a.yml")
    new = document("f[]: src/keep/**", "!f[]: src/**", "f[]: docs/**", path="a.yml")
    assert [change for change, _, _ in _told(old, new)] == ["narrowed"]
    assert not _losses(new, old)


_SUBJECTS = ("ledger", "queue", "voucher", "camera", "tariff", "harbour", "printer", "glossary", "beacon", "orchard")
_DEEDS = ("is locked", "gets rotated", "stays monotone", "was measured", "fails loudly", "ignores duplicates")
_SENTENCES = [f"{one.capitalize()} {deed}" for one in _SUBJECTS for deed in _DEEDS]
_CRITERIA = st.lists(st.sampled_from(_SENTENCES), unique=True, min_size=1, max_size=12)


@settings(deadline=None)
@given(_CRITERIA, st.randoms(use_true_random=False), st.sampled_from(("bullet", "task", "row", "prose")))
def test_order_shape_case_and_marks_do_not_matter(texts: list[str], random: object, shape: str) -> None:
    shuffled = list(texts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    plain = document("# Review", *(f"- {text}" for text in texts))
    if shape == "row":
        lines = [f"| {text.split()[0]} | {' '.join(text.split()[1:])} |" for text in shuffled]
    elif shape == "prose":
        lines = [f"{text.upper()}!" for text in shuffled]
    else:
        lines = [f"- **{text}**." for text in shuffled]
    other = document("# Review", *lines, kind=TASK if shape == "task" else BULLET)
    assert not _losses(plain, other) and not _losses(other, plain)


@settings(deadline=None)
@given(_CRITERIA, st.data())
def test_each_item_that_is_taken_out_is_one_loss_at_its_place(texts: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(texts) - 1))
    old = document("# Review", "", *(f"- {text}" for text in texts))
    new = document("# Review", "", *(f"- {text}" for text in texts[:at] + texts[at + 1 :]))
    (loss,) = _losses(old, new)
    assert (loss.change, loss.item.text, loss.was) == ("removed", texts[at], loss.item)
    line = new.text.count("\n", 0, loss.start) + 1
    assert line == min(at + 3, new.text.count("\n") + (not new.text.endswith("\n")))


@settings(deadline=None)
@given(DOCUMENTS)
def test_equal_documents_lose_nothing(document: Document) -> None:
    assert not _losses(document, document)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(st.none() | DOCUMENTS, st.none() | DOCUMENTS), max_size=3))
def test_whatever_the_items_are_the_losses_have_places(pairs: list[tuple[Document | None, Document | None]]) -> None:
    for loss in compare(pairs, JUDGES, lambda path: path.endswith("md")):
        assert loss.change in ("removed", "weakened", "narrowed", "deleted", "moved") and loss.why and loss.key


def _read(path: str, text: str) -> Document:
    return Document(path, text, items(text))


_THREE = "# Review\n\n- Uploads are scanned\n- The retry queue keeps its order\n- Migrations can be rolled back\n"
_TABLE = "# Data\n\n| Topic | What |\n|---|---|\n| Queue | The retry queue keeps its order |\n| Rollback | {} |\n"


def test_a_section_that_moves_behind_a_link_is_no_loss_whatever_its_shape() -> None:
    old = _read("REVIEW.md", _THREE)
    there = _read("docs/data.md", _TABLE.format("Migrations can be rolled back"))
    for link in ("[Data](docs/data.md)", "@docs/data.md", "See docs/data.md for data.", "詳細はdocs/data.mdを参照。"):
        new = _read("REVIEW.md", f"# Review\n\n- Uploads are scanned\n\n{link}\n")
        assert not compare([(old, new), (None, there)], JUDGES, lambda path: path == "REVIEW.md"), link
    less = _read("docs/data.md", _TABLE.format("Backups are encrypted"))
    (loss,) = compare([(old, new), (None, less)], JUDGES, lambda path: path == "REVIEW.md")
    assert (loss.change, loss.item.text) == ("removed", "Migrations can be rolled back")


def test_what_moves_behind_a_link_and_asks_for_less_there_is_weaker() -> None:
    old = _read("REVIEW.md", _THREE.replace("Migrations can be", "Migrations must be"))
    new = _read("REVIEW.md", "# Review\n\n- Uploads are scanned\n\nSee docs/data.md.\n")
    there = _read("docs/data.md", _TABLE.format("Migrations should be rolled back"))
    (loss,) = compare([(old, new), (None, there)], JUDGES, lambda path: path == "REVIEW.md")
    assert loss.change == "weakened" and loss.path == "REVIEW.md"


def test_what_moves_to_where_nobody_reads_it_without_a_link_is_one_loss() -> None:
    old, new = _read("REVIEW.md", _THREE), _read("REVIEW.md", "# Review\n\n- Uploads are scanned\n")
    there = _read("docs/data.md", _TABLE.format("Migrations can be rolled back"))
    (loss,) = compare([(old, new), (None, there)], JUDGES, lambda path: path == "REVIEW.md")
    assert loss.change == "moved" and len(loss.others) == 1
    assert not compare([(old, new), (None, there)], JUDGES, lambda _: True)


def test_a_document_that_moved_is_read_where_another_one_leads_to_it() -> None:
    old, there = _read("REVIEW.md", _THREE), _read("notes/x.md", _THREE)
    new = _read("AGENTS.md", "# Agents\n\nRun `make`.\n\nReviews follow notes/x.md.\n")
    before = _read("AGENTS.md", "# Agents\n\nRun `make`.\n")
    is_criteria = ("REVIEW.md", "AGENTS.md").__contains__
    assert not compare([(old, there), (before, new)], JUDGES, is_criteria)
    assert not compare([(old, None), (None, there), (before, new)], JUDGES, is_criteria)
    (loss,) = compare([(old, there), (before, before)], JUDGES, is_criteria)
    assert loss.change == "moved" and len(loss.others) == 2


def test_a_pointer_that_leads_elsewhere_loses_what_it_stood_for() -> None:
    rules, fewer = _read("AGENTS.md", _THREE), _read("docs/few.md", "# Review\n\n- Uploads are scanned\n")
    rest = [(rules, rules), (fewer, fewer)]
    link = Document("CLAUDE.md", "AGENTS.md", ())
    for old in (
        link,
        _read("CLAUDE.md", "@AGENTS.md\n"),
        _read("CLAUDE.md", f"# Build\n\n{'Run make. ' * 60}\n\n@AGENTS.md\n"),
    ):
        for new in (Document("CLAUDE.md", "docs/few.md", ()), _read("CLAUDE.md", "# Build\n\n@docs/few.md\n")):
            (loss,) = compare([(old, new), *rest], JUDGES, lambda _: True)
            assert loss.change == "removed" and loss.path == "CLAUDE.md" and len(loss.others) == 1
        for new in (_read("CLAUDE.md", _THREE), _read("CLAUDE.md", "Read [the rules](AGENTS.md).\n")):
            assert not compare([(old, new), *rest], JUDGES, lambda _: True)
        assert not compare([(old, None), *rest], JUDGES, lambda _: True)


def test_an_import_of_what_describes_the_project_may_go() -> None:
    readme = _read("README.md", "# Parcel store\n\n- Stores parcels\n- Prints labels\n")
    old = _read("CLAUDE.md", "# Build\n\n- Run the linter first\n\n@README.md\n")
    assert not compare(
        [(old, _read("CLAUDE.md", "# Build\n\n- Run the linter first\n")), (readme, readme)], JUDGES, bool
    )


def test_a_document_that_lost_all_is_one_loss() -> None:
    (loss,) = compare([(_read("REVIEW.md", _THREE), _read("REVIEW.md", "# Review\n"))], JUDGES, lambda _: True)
    assert (loss.change, loss.start, len(loss.others)) == ("removed", 0, 2)


_SHAPES = (
    "# Review\n\n- Security\n  - Inputs are validated\n  - Tokens reach no log\n- Data\n  - Amounts are integers\n",
    "# Review\n\n| Area | What |\n|---|---|\n| Security | Inputs are validated |\n| Security | Tokens reach no log |\n"
    "| Data | Amounts are integers |\n",
    "# Review\n\n## Security\n\nInputs are validated. Tokens reach no log.\n\n## Data\n\nAmounts are integers.\n",
    "# Review\n\n## Security\n\n- Inputs are validated\n- Tokens reach no log\n\n## Data\n\n- Amounts are integers\n",
)


def test_nested_lists_tables_and_headings_of_the_same_content_are_the_same() -> None:
    for one in _SHAPES:
        for other in _SHAPES:
            assert not _losses(_read("REVIEW.md", one), _read("REVIEW.md", other)), (one, other)
            lost = _read("REVIEW.md", other.replace("Tokens reach no log", "").replace("| Security |  |\n", ""))
            assert [loss.item.text.rstrip(".") for loss in _losses(_read("REVIEW.md", _SHAPES[0]), lost)] == [
                "Tokens reach no log"
            ]


def test_a_sentence_that_is_cut_out_of_a_paragraph_about_reviews_is_a_loss() -> None:
    for path, text, cut in (
        ("REVIEW.md", "# Ours\n\nTests come first. Migrations come with a rollback. Names are short words.\n",
         " Migrations come with a rollback."),
        ("a.md", "# レビュー観点\n\n移行には手順が付く。金額は整数で扱う。名前は出さない。\n", "金額は整数で扱う。"),
        ("a.md", "# 评审要点\n\n迁移附带回滚脚本。金额以整数保存。日志不含个人信息。\n", "金额以整数保存。"),
    ):  # fmt: skip
        (loss,) = _losses(_read(path, text), _read(path, text.replace(cut, "")))
        assert (loss.change, loss.item.text) == ("removed", cut.strip())
        other = "# Notes\n" + text.split("\n", 1)[1]  # nothing says that it is about reviews
        assert not _losses(_read("notes.md", other), _read("notes.md", other.replace(cut, "")))


def test_a_sentence_that_describes_or_was_written_anew_is_none() -> None:
    for cut in ("This guide is short.", "We read each change together.", "Thanks for reading this page.",
                "Long changes were hard to read.", "For example, a lock can leak here.",
                "The team sits in Kyoto now."):  # fmt: skip
        text = f"# Review\n\nTests come first here. {cut} Names are short words.\n"
        assert not _losses(_read("REVIEW.md", text), _read("REVIEW.md", text.replace(f" {cut}", ""))), cut
    old = "# Review\n\nTests come first here. Small pieces help a lot. Names are short words.\n"
    new = old.replace("Small pieces help a lot.", "Nobody likes a change of a thousand lines.")
    assert not _losses(_read("REVIEW.md", old), _read("REVIEW.md", new))


def test_what_went_below_a_title_of_the_past_is_a_loss_and_what_came_back_none() -> None:
    kept = _THREE.replace("- The retry queue keeps its order\n", "")
    for title in ("Archived", "Deprecated rules", "Old checks", "Rules (no longer in force)", "廃止",
                  "旧ルール（廃止）", "已废弃", "폐지된 항목", "Außer Kraft"):  # fmt: skip
        new = f"{kept}\n## {title}\n\n- The retry queue keeps its order\n"
        (loss,) = _losses(_read("REVIEW.md", _THREE), _read("REVIEW.md", new))
        assert (loss.change, loss.item.text) == ("removed", "The retry queue keeps its order"), title
        assert not _losses(_read("REVIEW.md", new), _read("REVIEW.md", _THREE))
        assert not _losses(_read("REVIEW.md", new), _read("REVIEW.md", kept))
    for title in (
        "Queues",
        "Deprecated endpoints",
        "Archive format",
        "旧字体",
        "廃止予定の関数の扱い",
        "Legacy code",
        "历史记录接口",
    ):
        new = f"{kept}\n## {title}\n\n- The retry queue keeps its order\n"
        assert not _losses(_read("REVIEW.md", _THREE), _read("REVIEW.md", new)), title


def test_a_title_that_says_that_all_below_it_is_of_the_past_is_one_loss() -> None:
    (loss,) = _losses(_read("REVIEW.md", _THREE), _read("REVIEW.md", _THREE.replace("# Review", "# Review (archived)")))
    assert (loss.change, loss.item.text, len(loss.others)) == ("weakened", "Review (archived)", 3)


def test_what_is_struck_through_or_hidden_in_details_of_the_past_is_gone() -> None:
    line = "- The retry queue keeps its order\n"
    folded = "<details>\n<summary>{}</summary>\n\n- The retry queue keeps its order\n\n</details>\n\n"
    for hidden in ("- ~~The retry queue keeps its order~~\n", "- <del>The retry queue keeps its order</del>\n",
                   folded.format("Old rules")):  # fmt: skip
        (loss,) = _losses(_read("REVIEW.md", _THREE), _read("REVIEW.md", _THREE.replace(line, hidden)))
        assert (loss.change, loss.item.text) == ("removed", "The retry queue keeps its order")
    assert not _losses(_read("REVIEW.md", _THREE), _read("REVIEW.md", _THREE.replace(line, folded.format("More"))))


def test_a_row_whose_state_says_that_it_holds_no_longer_is_weaker() -> None:
    old = "| Rule | State |\n|---|---|\n| Uploads are scanned | active |\n| Queues keep their order | active |\n"
    new = old.replace("order | active", "order | deprecated")
    (loss,) = _losses(_read("REVIEW.md", old), _read("REVIEW.md", new))
    assert loss.change == "weakened" and not _losses(_read("REVIEW.md", new), _read("REVIEW.md", old))


_FENCED = (
    "# Review\n\n- Locks are released\n\n## {}\n\n```\n- a.py: the lock is held for too long\n- b.py: a name\n```\n"
)


def test_a_fence_below_a_title_of_output_is_an_example_and_a_prompt_is_none() -> None:
    for title in (
        "Output",
        "Example",
        "Output format\n\n### Findings",
        "出力例\n\n### 指摘",
        "示例",
        "输出格式",
        "Beispiel",
    ):
        old = _FENCED.format(title)
        assert not _losses(_read("REVIEW.md", old), _read("REVIEW.md", old.replace("- b.py: a name\n", ""))), title
    for title in ("Prompt", "Example prompt for the reviewer", "レビュー用プロンプトの例", "What the agent is given"):
        old = _FENCED.format(title)
        new = old.replace("- a.py: the lock is held for too long\n", "")
        assert len(_losses(_read("REVIEW.md", old), _read("REVIEW.md", new))) == 1, title


def test_rules_that_no_longer_always_apply_are_narrower() -> None:
    old = _read("a.mdc", f"---\nglobs: src/**\nalwaysApply: true\n---\n{_THREE}")
    for said in ("alwaysApply: false\n", ""):
        new = _read("a.mdc", old.text.replace("alwaysApply: true\n", said))
        (loss,) = _losses(old, new)
        assert loss.change == ("narrowed" if said else "removed") and not _losses(new, old)


def test_patterns_with_braces_hold_what_their_parts_do() -> None:
    braces = _read("a.instructions.md", f'---\napplyTo: "**/*.{{ts,tsx}}"\n---\n{_THREE}')
    parts = _read("a.instructions.md", braces.text.replace("**/*.{ts,tsx}", "**/*.ts,**/*.tsx"))
    less = _read("a.instructions.md", braces.text.replace("{ts,tsx}", "ts"))
    assert not _losses(braces, parts) and not _losses(parts, braces) and not _losses(less, braces)
    assert [loss.change for loss in _losses(braces, less)] == ["narrowed"]


def test_an_owner_among_several_may_go_and_the_last_one_may_not() -> None:
    old = document("@* @a/all", "@/vault/ @a/crypto, @a/sec", path="CODEOWNERS")
    assert not _losses(old, document("@* @a/all", "@/vault/ @a/crypto", path="CODEOWNERS"))
    assert [t[0] for t in _told(old, document("@* @a/all", "@/vault/", path="CODEOWNERS"))] == ["narrowed"]


def test_an_anchor_whose_values_stand_where_they_were_used_is_no_loss() -> None:
    old = "base: &all\n  - gosec\n  - lll\nrules:\n  checks: *all\n"
    new = "rules:\n  checks: [gosec, lll]\n"
    path = "review.yaml"
    before, after = Document(path, old, config.items(old, path)), Document(path, new, config.items(new, path))
    assert not _losses(before, after) and not _losses(after, before)
    less = "rules:\n  checks: [gosec]\n"
    assert _losses(before, Document(path, less, config.items(less, path)))
    plain = old.replace(" &all", "").replace("*all", "[gosec, lll]")
    assert _losses(Document(path, plain, config.items(plain, path)), after)


def test_a_limit_that_a_paragraph_tells_in_two_sentences_is_one_loss() -> None:
    old = document("# Review", "", "Look at everything.")
    new = document("# Review", "", "Only report what is in the table.", "Do not report anything else.")
    told = compare([(old, new)], JUDGES, lambda _path: True)
    assert [(loss.change, len(loss.others)) for loss in told] == [("narrowed", 1)]


def test_what_went_where_nobody_reads_it_is_no_mere_note(tmp_path: Path) -> None:
    policy = policy_in_force(str(tmp_path), lambda _: None)
    side = Blob("100644", data=_THREE.replace("Review", "Rules").encode())
    for path, told in (("notes/x.md", [("moved", "warning", 1)]), ("sub/.cursor/BUGBOT.md", [])):
        change = Change(path, "R", side, side, (), ".cursor/BUGBOT.md")
        found, unread = criteria.check(policy, Material("staged", (change,)))
        assert [(one.kind, one.severity, one.span.start.line) for one in found] == told and not unread


def test_entries_that_join_a_list_of_what_is_left_out_are_one_loss() -> None:
    old = document("!reviews.skip[]: dist/**", "", "%")
    new = document("!reviews.skip[]: dist/**", "!reviews.skip[]: docs/**", "!reviews.skip[]: web/**")
    (loss,) = _losses(old, new)
    assert (loss.change, loss.item.text, [item.text for item in loss.others]) == ("narrowed", "docs/**", ["web/**"])
    assert not _losses(new, old)


def test_an_option_of_a_form_that_says_that_nothing_was_done_may_go_and_its_question_may_not() -> None:
    rest = "- Docs\n  - [ ] Handbook updated\n  - [ ] Not needed because:\n"
    asked = "- Was the load test run for this change?\n  - [ ] Yes, link:\n"
    out = "  - [ ] Not sure\n  - [ ] TODO (before merge)\n  - [ ] Not required because:\n"
    old = _read("template.md", asked + out + rest)
    assert not _losses(old, _read("template.md", asked + rest))
    assert [loss.change for loss in _losses(old, _read("template.md", rest))] == ["removed"]


def test_facts_of_a_project_are_no_criteria_but_what_they_forbid_is() -> None:
    facts = "- `api/` Go service, port 8080\n"
    ban = "- Never import `web` from `api`\n"
    rules = "\n## Rules\n\n- Uploads are scanned before they are stored\n"
    old = _read("AGENTS.md", f"# Project\n\n## Layout\n\n{facts}{ban}{rules}")
    assert not _losses(old, _read("AGENTS.md", f"# Project\n\n## Layout\n\n{ban}{rules}"))
    assert [loss.item.text for loss in _losses(old, _read("AGENTS.md", f"# Project\n\n## Layout\n\n{facts}{rules}"))]
    other = _read("REVIEW.md", old.text)
    assert _losses(other, _read("REVIEW.md", f"# Project\n\n## Layout\n\n{ban}{rules}"))


def test_what_moves_to_the_record_of_a_meeting_is_a_loss() -> None:
    old = document("# Review", "", *_list(*RULES[:4]))
    new = document("# Review", "", *_list(*RULES[1:4]))
    for path in ("docs/meetings/2026-03-04.md", "docs/attic/list.md", "notes/retro-2026-05.md", "docs/議事録/3.md"):
        minutes = document("# Meeting", "", *_list("Sensors arrive next week", RULES[0]), path=path)
        assert [loss.change for loss in _losses(old, new, (None, minutes))] == ["moved"]
    checks = document("# Checks", "", *_list(RULES[0]), path="docs/checks.md")
    assert not _losses(old, new, (None, checks))


def test_a_title_that_is_put_in_above_items_is_one_loss_at_it() -> None:
    old = document("# Review", "", *_list(*RULES[:4]))
    new = document("# Review", "", *_list(RULES[0]), "", "## Optional", "", *_list(*RULES[1:4]))
    (loss,) = _losses(old, new)
    assert (loss.change, loss.item.text, len(loss.others)) == ("weakened", "Optional", 3)


def test_a_document_that_is_divided_among_others_it_leads_to_loses_nothing() -> None:
    old = _read(
        "CLAUDE.md",
        "# Rules\n\n## Testing\n\n- Always start the fake clock before a scheduler test\n"
        "- Use the recorded fixtures, do not write JSON by hand\n"
        "- A bug fix comes with a test that fails without it\n\n"
        "## Code\n\n- Errors are wrapped and carry the operation\n- Exported functions have a doc comment\n",
    )
    new = _read("CLAUDE.md", "# Rules\n\n- `skills/testing.md`: the clock, fixtures\n- `skills/code.md`: errors\n")
    testing = _read(
        "skills/testing.md",
        "# Testing\n\n- Start the fake clock before every scheduler test, always\n"
        "- Fixtures are recorded; JSON is not written by hand\n- Each bug fix brings a test that fails without it\n",
    )
    code = _read(
        "skills/code.md", "# Code\n\n- Wrap errors, name the operation\n- Doc comments on exported functions\n"
    )
    assert not _losses(old, new, (None, testing), (None, code))
    assert len(_losses(old, new)) == 1


def test_a_pattern_of_one_level_holds_less_than_the_folder() -> None:
    old = document("@* @org/all", "@/migrations/ @org/data")
    assert [loss.change for loss in _losses(old, document("@* @org/all", "@/migrations/* @org/data"))]
    assert not _losses(document("@* @org/all", "@/migrations/* @org/data"), old)
    assert not _losses(old, document("@* @org/all", "@/migrations @org/data, @org/all"))


def test_two_items_that_differ_in_a_word_may_be_merged() -> None:
    name, company = (
        f"The visitor's {what} is escaped before it reaches the label template" for what in ("name", "company")
    )
    both = "The visitor's name and company are escaped before they reach the label template"
    assert not _losses(document(*_list(name, company, RULES[0])), document(*_list(both, RULES[0])))
    assert _losses(document(*_list(name, company, RULES[0])), document(*_list(name, RULES[0])))
