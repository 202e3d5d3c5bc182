"""Markdown as the criteria check reads it: what is an item, what colours it, and what makes no difference."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sakaime.checks.criteria.documents.markdown import items
from sakaime.checks.criteria.item import BULLET, HEADING, KEY, PROSE, ROW, TASK, Item


def said(text: str, *kinds: str) -> list[str]:
    """The texts of the items of these kinds, all of them by default."""
    return [item.text for item in items(text) if not kinds or item.kind in kinds]


def bare(text: str) -> list[Item]:
    """The items, wherever they stand."""
    return [item.replace(start=0, end=1) for item in items(text)]


def one(text: str, said: str) -> Item:
    [found] = [item for item in items(text) if item.text == said]
    return found


class TestTables:
    TABLE = "| Area | Ask | Level |\n|---|---|---|\n| Locks | Are they released? | high |\n| Logs | No names? | low |\n"

    def test_a_row_is_named_by_its_first_cell_and_says_the_others(self) -> None:
        first, second = items(self.TABLE)
        assert (first.kind, first.key, first.text) == (ROW, "Locks", "Are they released?, high")
        assert first.cells == (("Area", "Locks"), ("Ask", "Are they released?"), ("Level", "high"))
        assert second.key == "Logs"

    def test_a_row_stands_where_it_is_written(self) -> None:
        first = items(self.TABLE)[0]
        assert self.TABLE[first.start : first.end] == "| Locks | Are they released? | high |"

    @pytest.mark.parametrize("delimiter", ["|---|", "|---|---|---|---|", "| :-- | --: |", "|---|---|---"])
    def test_a_delimiter_with_the_wrong_number_of_columns_takes_no_row_away(self, delimiter: str) -> None:
        broken = self.TABLE.replace("|---|---|---|", delimiter)
        assert bare(broken) == bare(self.TABLE)

    def test_a_pipe_in_a_code_span_parts_no_cells_escaped_or_not(self) -> None:
        plain = "| Sign | Meaning |\n|---|---|\n| `a|b` | one of two |\n"
        assert bare(plain) == bare(plain.replace("a|b", r"a\|b"))
        assert items(plain)[0].cells == (("Sign", "a|b"), ("Meaning", "one of two"))

    def test_a_comment_between_rows_ends_no_table(self) -> None:
        cut = self.TABLE.replace("| Logs", "<!-- | Logs")
        assert [item.key for item in items(cut.replace("low |", "low | -->"))] == ["Locks"]
        inside = self.TABLE.replace("| Logs", "<!-- a remark\nof two lines -->\n| Logs")
        assert [item.cells for item in items(inside) if item.kind == ROW] == [i.cells for i in items(self.TABLE)]

    def test_a_column_that_counts_the_rows_names_none(self) -> None:
        counted = "| No. | Check |\n|---|---|\n| 1 | Names |\n| 2 | Units |\n"
        renumbered = counted.replace("| 1 | Names |\n", "").replace("| 2 |", "| 1 |")
        assert [(item.key, item.text) for item in items(counted)] == [("", "Names"), ("", "Units")]
        assert [(item.key, item.text) for item in items(renumbered)] == [("", "Units")]
        assert items(counted.replace("No.", "Status"))[0].key == "1"

    def test_tables_of_html_and_of_pipes_say_the_same(self) -> None:
        rows = [["Area", "Ask"], ["Locks", "Are they released?"], ["Logs", "No names?"]]
        html = "".join(
            "  <tr>\n    " + "".join(f"<{tag}>{cell}</{tag}>" for cell in row) + "</tr>\n"
            for row, tag in zip_longest(rows, ["th"], fillvalue="td")
        )
        pipes = "| Area | Ask |\n|---|---|\n" + "".join(f"| {' | '.join(row)} |\n" for row in rows[1:])
        assert bare(f"<table>\n{html}</table>\n") == bare(pipes)
        assert bare(f'<div>\n<table class="x">\n\n{html}\n</table></div>\n') == bare(pipes)

    def test_a_table_in_a_list_belongs_to_its_item(self) -> None:
        found = items("- Grid\n\n  | a | b |\n  |---|---|\n  | k | v |\n- Next\n")
        assert [(item.text, item.parent) for item in found] == [("Grid", -1), ("v", 0), ("Next", -1)]
        assert found[1].above == ("Grid",)

    def test_line_breaks_in_cells_are_blanks(self) -> None:
        assert items("| a | b |\n|---|---|\n| k | one<br>two<br/>three |\n")[0].text == "one two three"

    def test_text_right_below_a_table_is_text(self) -> None:
        assert items(self.TABLE + "Nothing else is looked at.\n")[-1].kind == PROSE


class TestLists:
    def test_nested_items_know_what_they_stand_in(self) -> None:
        found = items("- Data\n  * Names\n    1. Given\n- Time\n")
        assert [(item.text, item.parent, item.above) for item in found] == [
            ("Data", -1, ()),
            ("Names", 0, ("Data",)),
            ("Given", 1, ("Data", "Names")),
            ("Time", -1, ()),
        ]

    def test_an_item_is_one_however_it_is_wrapped(self) -> None:
        assert said("- Units are written\n  next to\nnumbers.\n") == ["Units are written next to numbers."]
        assert said("- 単位を数の\n  隣に書く\n") == ["単位を数の隣に書く"]

    def test_tasks_are_tasks_done_or_not(self) -> None:
        found = items("- [ ] Docs changed\n- [x] Tests ran\n1. [X] Both\n- [y] no task\n")
        assert [(item.kind, item.text) for item in found] == [
            (TASK, "Docs changed"),
            (TASK, "Tests ran"),
            (TASK, "Both"),
            (BULLET, "[y] no task"),
        ]

    @pytest.mark.parametrize("signs", ["abc", "123", "ABC"])
    @pytest.mark.parametrize("form", ["{}. ", "{}) ", "({}) "])
    def test_steps_by_letter_or_number_are_items_under_running_text(self, signs: str, form: str) -> None:
        first, second, third = (form.format(sign) for sign in signs)
        text = f"Do these:\n{first}look here\n   and there\n{second}look up\n{third}look down\n"
        assert said(text, BULLET) == ["look here and there", "look up", "look down"]
        assert {item.above for item in items(text) if item.kind == BULLET} == {("Do these:",)}

    def test_a_single_step_that_is_left_is_still_one(self) -> None:
        assert said("1. Collect:\n   a. handles\n") == ["Collect:", "handles"]

    def test_a_line_that_happens_to_begin_with_a_number_is_text(self) -> None:
        assert said("The limit was raised to\n300. It stays.\n") == ["The limit was raised to 300.", "It stays."]

    def test_signs_of_japanese_lists(self) -> None:
        assert said("・権限を見る\n・入力を見る\n  続き\n", BULLET) == ["権限を見る", "入力を見る続き"]
        assert said("① 権限を見る\n② 入力を見る\n", BULLET) == ["権限を見る", "入力を見る"]

    def test_lists_of_html(self) -> None:
        assert said("<ul>\n    <li>One thing</li>\n    <li>Another\n      thing</li>\n</ul>\n", BULLET) == [
            "One thing",
            "Another thing",
        ]

    def test_a_second_paragraph_of_an_item_is_text_in_it(self) -> None:
        found = items("- Locks\n\n  They are released.\n")
        assert [(item.kind, item.parent) for item in found] == [(BULLET, -1), (PROSE, 0)]

    def test_the_number_of_an_item_is_no_key_and_gives_it_no_order(self) -> None:
        assert {(item.key, item.ordered) for item in items("3. a\n4. b\n")} == {("", False)}


class TestKeys:
    @pytest.mark.parametrize(
        ("line", "key", "text"),
        [
            ("[SEC-3] Inputs are checked", "SEC-3", "Inputs are checked"),
            ("**SEC-3** Inputs are checked", "SEC-3", "Inputs are checked"),
            ("SEC-3: Inputs are checked", "SEC-3", "Inputs are checked"),
            ("R12: Inputs are checked", "R12", "Inputs are checked"),
            ("1.4.3 Contrast of text", "1.4.3", "Contrast of text"),
            ("Inputs are checked <!-- rule:912 -->", "rule:912", "Inputs are checked"),
            ("<!-- id: inputs --> Inputs are checked", "id:inputs", "Inputs are checked"),
            ("[P1] Inputs are checked", "", "[P1] Inputs are checked"),
            ("**Inputs**: checked", "", "Inputs: checked"),
            ("Inputs — checked", "", "Inputs — checked"),
            ("UTF-8: the only encoding", "", "UTF-8: the only encoding"),
            ("3.10 is the oldest version", "", "3.10 is the oldest version"),
        ],
    )
    def test_only_an_id_is_a_key(self, line: str, key: str, text: str) -> None:
        [item] = items(f"- {line}\n")
        assert (item.key, item.text) == (key, text)

    def test_an_id_on_the_line_above_names_the_item_below(self) -> None:
        found = items("<!-- rule:7 -->\n- First\n<!-- rule:8 -->\n- Second\n- Third\n")
        assert [(item.key, item.text) for item in found] == [("rule:7", "First"), ("rule:8", "Second"), ("", "Third")]

    def test_an_id_that_is_indented_below_names_the_item_above(self) -> None:
        found = items("- First\n  <!-- rule:7 -->\n- Second\n")
        assert [(item.key, item.text) for item in found] == [("rule:7", "First"), ("", "Second")]


class TestTitles:
    def test_headings_are_items_and_stand_above_what_follows(self) -> None:
        found = items("# Review\n\n## Data\n\n- Names\n\n## Time\n\nClocks jump.\n")
        assert [(item.kind, item.text, item.headings) for item in found] == [
            (HEADING, "Review", ()),
            (HEADING, "Data", ("Review",)),
            (BULLET, "Names", ("Review", "Data")),
            (HEADING, "Time", ("Review",)),
            (PROSE, "Clocks jump.", ("Review", "Time")),
        ]

    @pytest.mark.parametrize("line", ["**Do not report**:", "**Do not report:**", "__Do not report__"])
    def test_a_line_in_bold_letters_is_a_title(self, line: str) -> None:
        found = items(f"# Review\n\n{line}\n\n- Spelling\n\n**Report**\n- Locks\n\n# End\n\n- Last\n")
        assert found[1].kind == HEADING
        assert [item.headings for item in found if item.kind == BULLET] == [
            ("Review", "Do not report"),
            ("Review", "Report"),
            ("End",),
        ]

    def test_a_sentence_in_bold_letters_is_a_sentence(self) -> None:
        assert [item.kind for item in items("**Only look at the tests.**\n")] == [PROSE]

    def test_the_number_of_a_section_is_no_part_of_its_title(self) -> None:
        assert said("## 3. Locks\n## 2.1 Clocks\n## 0. 禁止事項\n## 一、总则\n") == [
            "Locks",
            "Clocks",
            "禁止事項",
            "总则",
        ]

    def test_a_heading_in_an_item_ends_with_it(self) -> None:
        assert one("# A\n\n- x\n\n  # B\n\n  y\n\nz\n", "z").headings == ("A",)

    def test_a_paragraph_above_a_rule_is_no_heading(self) -> None:
        assert [item.kind for item in items("Look at locks.\nLook at clocks.\n---\n")] == [PROSE, PROSE]
        assert [item.kind for item in items("| a | b |\n|---|---|\n| c | d |\n---\n")] == [ROW]

    def test_a_summary_titles_its_details(self) -> None:
        text = "# A\n<details><summary>More <b>rules</b></summary>\n\n- x\n\n</details>\n\n- y\n"
        assert one(text, "x").headings == ("A", "More rules")
        assert one(text, "y").headings == ("A",)


class TestProse:
    def test_each_sentence_is_an_item(self) -> None:
        assert said("Read the diff. Run it,\ne.g. twice! 差分を読む。動かす。\n") == [
            "Read the diff.",
            "Run it, e.g. twice!",
            "差分を読む。",
            "動かす。",
        ]

    def test_a_sentence_stands_where_it_is_written(self) -> None:
        text = "> Read **the** diff.\r\n> Then [run\r\n> it](x.md) `twice`. End.\r\n"
        assert [text[item.start : item.end] for item in items(text)] == [
            "Read **the** diff.",
            "Then [run\r\n> it](x.md) `twice`.",
            "End.",
        ]

    def test_what_leads_in_a_list_or_a_table_colours_it(self) -> None:
        text = "Locks matter. Do not report:\n\n- x\n\n* y\n\nThe end.\n\n1. z\n"
        assert one(text, "x").above == one(text, "y").above == ("Do not report:",)
        assert one(text, "z").above == ("The end.",)
        table = "Skip these\n\n| a | b |\n|---|---|\n| k | v |\n\n- x\n"
        assert one(table, "v").above == ("Skip these",)
        assert one(table, "x").above == ()

    @pytest.mark.parametrize(
        ("markup", "text"),
        [
            ("**「必須」**控えを残す", "「必須」控えを残す"),
            ("__「必須」__控えを残す", "「必須」控えを残す"),
            ("keep `snake_case` and snake_case_too, not _this_", "keep snake_case and snake_case_too, not this"),
            ("see [the *list*](a.md 'x') or [that][1] or ![an image](i.png)", "see the list or that or an image"),
            ("[![badge](b.svg)](c) of <b>all</b> ~~old~~ &amp; new", "badge of all & new"),
            (r"a \*literal\* star and 2 * 3", "a *literal* star and 2 * 3"),
            ("files in src/**/*.py and *.md", "files in src/**/*.py and *.md"),
            ("run `git push <branch>` on <branch>", "run git push <branch> on <branch>"),
            ("<https://example.org/a_b>", "https://example.org/a_b"),
            ("<rule>Never skip</rule> it", "Never skip it"),
        ],
    )
    def test_markup_is_reduced_to_its_words(self, markup: str, text: str) -> None:
        assert said(f"- {markup}\n") == [text]

    def test_targets_of_links_say_nothing(self) -> None:
        assert said("[a]: https://example.org\n[b]: docs/b.md 'B'\n") == []
        assert said("[SEC-3]: validate\n") != []

    def test_quotations_are_read_and_are_no_samples(self) -> None:
        found = items("> [!IMPORTANT]\n> Read it twice.\n>\n> - Locks\n")
        assert [(item.text, item.sample) for item in found] == [("Read it twice.", False), ("Locks", False)]


class TestFences:
    @pytest.mark.parametrize("language", ["", "markdown", "md", "text", "txt", "prompt"])
    def test_prose_in_a_fence_is_read_as_a_sample(self, language: str) -> None:
        text = f"# A\n\nSend this:\n\n```{language}\n# B\n- Check locks\n```\n\n- x\n"
        found = one(text, "Check locks")
        assert (found.sample, found.headings, found.above) == (True, ("A", "B"), ("Send this:",))
        assert text[found.start : found.end] == "Check locks"
        assert (one(text, "x").headings, one(text, "x").sample) == (("A",), False)

    def test_a_fence_in_a_list_is_read_where_it_stands(self) -> None:
        text = "- Send:\n\n  ~~~text\n  - Check locks\n      - and keys\n  ~~~\n"
        assert [(text[item.start : item.end], item.parent) for item in items(text)] == [
            ("Send:", -1),
            ("Check locks", 0),
            ("and keys", 1),
        ]

    @pytest.mark.parametrize(
        "fence",
        [
            "```python\n- x\n```",
            "```yaml\n- x\n```",
            "    - x",
            "```\n$ make test\n# Run it\n```",
            "```\nsrc/\n├── a\n```",
        ],
    )
    def test_code_says_nothing(self, fence: str) -> None:
        assert items(f"{fence}\n") == ()

    def test_fences_in_fences(self) -> None:
        assert said("````md\n- x\n```text\n- y\n```\n````\n") == ["x", "y"]


class TestComments:
    def test_what_a_comment_tells_a_reviewer_is_an_item_of_its_own(self) -> None:
        found = items("# A\n\n<!-- Skip this section when\nthe branch is a hotfix. -->\n\n- x\n")
        assert [(item.kind, item.text) for item in found[1:]] == [
            (PROSE, "Skip this section when the branch is a hotfix."),
            (BULLET, "x"),
        ]
        assert found[1].above == ("<!-- -->",)
        assert found[1].headings == ("A",)

    def test_a_remark_without_html(self) -> None:
        assert items("[//]: # (Only look at the tests here)\n")[0].above == ("<!-- -->",)

    @pytest.mark.parametrize(
        "comment",
        [
            "<!-- - A taken out item of a list -->",
            "<!--\n- a taken out item\n  of two lines\n-->",
            "<!-- | a | taken out row | -->",
            "<!-- markdownlint-disable MD013 -->",
            "<!-- end of the list -->",
            "<!--\n## A title\n-->",
        ],
    )
    def test_what_is_commented_out_is_gone(self, comment: str) -> None:
        assert said(f"- x\n{comment}\n- y\n") == ["x", "y"]

    def test_a_comment_can_begin_in_an_item_and_end_in_another(self) -> None:
        assert said("- a\n- <!-- b\n- c -->\n- d\n") == ["a", "d"]

    def test_a_comment_that_does_not_end_hides_the_rest_from_the_start_of_a_line_only(self) -> None:
        assert said("- a\n\n<!--\n- b\n\n- c\n") == ["a"]
        assert said("- a <!-- b\n\n- c\n") == ["a <!-- b", "c"]

    def test_code_holds_no_comment(self) -> None:
        assert said("- write `<!--` first\n- b\n- then `-->`\n") == ["write <!-- first", "b", "then -->"]
        assert said("```html\n<!--\n```\n- b\n") == ["b"]


class TestTags:
    def test_the_inside_of_a_tag_is_read_below_its_name(self) -> None:
        text = "# A\n<checks>\n- x\n## B\n- y\n</checks>\n<output>\nOne line.\n</output>\n- z\n"
        assert one(text, "x").headings == ("A", "checks")
        assert one(text, "y").headings == ("A", "checks", "B")
        assert one(text, "One line.").headings == ("A", "output")
        assert one(text, "z").headings == ("A",)

    def test_tags_of_layout_say_nothing(self) -> None:
        assert bare("<div align='center'>\n\n# A\n\n</div>\n\n- x\n") == bare("# A\n\n- x\n")

    def test_a_placeholder_is_text(self) -> None:
        assert said("<your answer here>\n") == ["<your answer here>"]


class TestFrontMatter:
    def test_keys_that_say_what_is_looked_at_are_items(self) -> None:
        text = (
            "---\ndescription: x\napplyTo: '**/*.py, docs/{a,b}.md'\ntools: [Read, Grep]\nalwaysApply: true\n---\n- a\n"
        )
        found = items(text)
        assert [(item.kind, item.key, item.text, item.value) for item in found[:-1]] == [
            (KEY, "applyTo", "**/*.py", "**/*.py"),
            (KEY, "applyTo", "docs/{a,b}.md", "docs/{a,b}.md"),
            (KEY, "tools", "Read", "Read"),
            (KEY, "tools", "Grep", "Grep"),
            (KEY, "alwaysApply", "true", True),
        ]
        assert all(text[item.start : item.end] == item.text for item in found)
        assert {item.scope for item in found} == {("**/*.py", "docs/{a,b}.md")}

    def test_globs_without_quotes_are_no_yaml_and_are_read(self) -> None:
        found = items("---\nglobs: *.ts,!*.d.ts\nalwaysApply: false\n---\n")
        assert [(item.text, item.negative) for item in found] == [("*.ts", False), ("!*.d.ts", True), ("false", False)]
        assert [item.text for item in items("---\npaths:\n  - **/*.ts\n  - src/*\n---\n")] == ["**/*.ts", "src/*"]

    def test_metadata_say_nothing(self) -> None:
        assert items("---\nname: a\ndescription: Reads the diff\ntitle: b\n---\n") == ()

    def test_rules_at_the_top_are_no_front_matter(self) -> None:
        assert said("---\n# Title\n---\n- x\n") == ["Title", "x"]


WORDS = (
    "locks clocks names units tests values pages keys are is checked read written kept before after each every".split()
)
CJK = "権限 入力 記録 単位 確認 名前 鍵 頁".split()
words = st.lists(st.sampled_from(WORDS), min_size=2, max_size=12).map(" ".join)
cjk = st.lists(st.sampled_from(CJK), min_size=2, max_size=8).map("".join)
texts = words | cjk
Tree = list[tuple[str, Any]]
trees: st.SearchStrategy[Tree] = st.recursive(
    st.just([]), lambda inner: st.lists(st.tuples(texts, inner), min_size=1, max_size=4), max_leaves=8
)


def written(tree: Tree, sign: str = "-", pad: str = "", number: int = 0) -> str:
    out = ""
    for place, (text, inner) in enumerate(tree, 1):
        marker = sign if sign in "-*+" else f"{number + place}{sign}"
        out += f"{pad}{marker} {text}\n" + written(inner, sign, pad + " " * (len(marker) + 1))
    return out


@given(trees, st.sampled_from(["*", "+", ".", ")"]), st.integers(0, 40))
def test_the_sign_and_the_number_of_an_item_make_no_difference(tree: Tree, sign: str, number: int) -> None:
    assert bare(written(tree)) == bare(written(tree, sign, number=number))


@given(trees, st.data())
def test_wrapping_makes_no_difference(tree: Tree, data: st.DataObject) -> None:
    lines = []
    for line in written(tree).splitlines():
        pad = " " * (len(line) - len(line.lstrip()) + 2)
        breaks = [
            found.start() for found in re.finditer(r"(?<=[a-z]) (?=[a-z])|(?<=[^\x00-\x7f])(?=[^\x00-\x7f])", line)
        ]
        for at in sorted(data.draw(st.sets(st.sampled_from(breaks))) if breaks else (), reverse=True):
            line = line[:at] + "\n" + pad + line[at:].lstrip()
        lines.append(line + "\n")
    assert bare("".join(lines)) == bare(written(tree))


@given(st.lists(st.lists(texts, min_size=3, max_size=3), min_size=1, max_size=6), st.data())
def test_the_shape_and_the_order_of_a_table_make_no_difference(rows: list[list[str]], data: st.DataObject) -> None:
    def row(cells: list[str], outer: bool, padded: bool) -> str:
        wide = [cell.ljust(data.draw(st.integers(0, 40))) if padded else cell for cell in cells]
        return f"| {' | '.join(wide)} |\n" if outer else f"{' | '.join(wide)}\n"

    head = [["Area", "Ask", "Level"], ["---", ":--", "--:"]]
    plain = "".join(row(cells, True, False) for cells in head + rows)
    outer = data.draw(st.booleans())
    again = "".join(row(cells, outer, True) for cells in head + data.draw(st.permutations(rows)))
    assert sorted(map(repr, bare(plain))) == sorted(map(repr, bare(again)))


@given(
    st.lists(st.tuples(st.integers(1, 2), words, texts), max_size=6),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
)
def test_the_style_of_headings_line_ends_and_a_bom_make_no_difference(
    parts: list[tuple[int, str, str]], end: str, bom: bool
) -> None:
    atx = "".join(f"{'#' * level} {title}\n\n{text}\n\n- {text}\n\n" for level, title, text in parts)
    setext = "".join(f"{title}\n{' =-'[level] * 3}\n\n{text}\n\n* {text}\n\n" for level, title, text in parts)
    assert bare(atx) == bare("\ufeff" * bom + setext.replace("\n", end))


@given(trees, st.data())
def test_emphasis_makes_no_difference(tree: Tree, data: st.DataObject) -> None:
    def marked(found: re.Match[str]) -> str:
        sign = data.draw(st.sampled_from(["", "*", "**", "_", "__", "`"]))
        return f"{sign}{found[0]}{sign}"

    plain = written(tree)
    assert bare(re.sub(r"\b[a-z]+\b", marked, plain)) == bare(plain)


@given(trees.filter(bool), st.data())
def test_taking_an_item_without_others_in_it_out_takes_out_just_that(tree: Tree, data: st.DataObject) -> None:
    text = written(tree)
    found = items(text)
    leaves = [n for n in range(len(found)) if n not in {item.parent for item in found}]
    gone = data.draw(st.sampled_from(leaves))
    line = text.count("\n", 0, found[gone].start)
    lines = text.splitlines(keepends=True)
    left = bare("".join(lines[:line] + lines[line + 1 :]))
    parents = [item.parent - (item.parent > gone) for n, item in enumerate(found) if n != gone]
    kept = [item.replace(start=0, end=1) for n, item in enumerate(found) if n != gone]
    assert left == [item.replace(parent=parent) for item, parent in zip(kept, parents, strict=True)]


SIGNS = (
    "- |* |1. |a) |    |> |>>>>>>>|# |---|===|```|~~~md|````|<!--|-->|<!-- rule:1 -->|<a>|</a>|<table>|<tr><td>|&"
    "|</table>|<li>|`|``|[|](|)|![|[x]: /y|[ ] |**|_|\\|&amp;|<summary>|</summary>|<br>|<script>|x|Words here. "
    "|日本語。|・|①|globs: *|\n|\n\n|\r\n|\r|\t|\ufeff|\0|\x0b|\u2028|\x85|\u3000|\ud800|\ufdd0|<details>|- [ ] "
)
PIECES = st.sampled_from([*SIGNS.split("|"), "|", "|-|"])


@settings(max_examples=400)
@given(
    st.lists(PIECES, max_size=60).map("".join)
    | st.text()
    | st.lists(PIECES, max_size=20).map(lambda p: "---\n" + "".join(p))
)
def test_any_text_can_be_read(text: str) -> None:
    found = items(text)
    for number, item in enumerate(found):
        assert 0 <= item.start < item.end <= len(text)
        assert -1 <= item.parent < number
        assert item.text or item.key
        assert item.text == " ".join(item.text.split())


@pytest.mark.parametrize("line", ["> ", "- ", "* - ", "> - ", "1. > "])
def test_what_is_nested_beyond_measure_is_read_all_the_same(line: str) -> None:
    deep = "".join(line * depth + "x\n" for depth in (3, 80, 300))
    assert said(deep)[-1].endswith("x")
    assert said(deep + "\n# Locks\n\n- y\n", HEADING, BULLET)[-2:] == ["Locks", "y"]


def test_a_list_deeper_than_the_parser_goes_loses_no_item() -> None:
    deep = "".join("  " * depth + f"- item {depth}\n" for depth in range(60))
    assert said(f"{deep}\n# Locks\n\n- y\n") == [*(f"item {depth}" for depth in range(60)), "Locks", "y"]


def test_what_is_struck_through_is_not_said() -> None:
    assert said("- ~~Locks are released~~\n- Retries ~~never~~ end\n") == ["Retries end"]
    assert said("- <s>Locks are released</s> Queues drain\n- a ~~ b ~~ c\n") == ["Queues drain", "a b c"]
    assert said("| A | B |\n|---|---|\n| ~~x~~ | ~~y z~~ |\n| k | l m |\n") == ["l m"]
    assert said("- It is ~~ open\n- `~~code~~` stays\n- ~~[a](b)~~ [c](d)\n") == [
        "It is open",
        "~~code~~ stays",
        "c",
    ]
