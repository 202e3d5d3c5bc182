"""Which items of two sides of a criteria document are the same."""

from __future__ import annotations

from criteria_fixtures import DOCUMENTS, RULES, document
from hypothesis import given, settings
from hypothesis import strategies as st

from sakaime.checks.criteria.comparing.globs import covers
from sakaime.checks.criteria.comparing.match import match
from sakaime.checks.criteria.comparing.tokens import tongue
from sakaime.checks.criteria.item import BULLET, PROSE, TASK, Document


def _pairs(old: Document, new: Document) -> set[tuple[str, str]]:
    return {(old.items[one].text, new.items[other].text) for one, other in match(old, new).pairs}


def _lines(*texts: str) -> list[str]:
    return [f"- {text}" for text in texts]


def test_the_same_items_are_paired_wherever_they_stand() -> None:
    pairing = match(document(*_lines(*RULES)), document("# Rules", *_lines(*reversed(RULES))))
    assert {one: 7 - one for one in range(7)} == dict(pairing.pairs)
    assert pairing.gone == () and pairing.fresh == (0,)


def test_a_row_and_a_task_of_the_same_words_are_the_same_item() -> None:
    rows = document("| Order | The retry queue keeps its order |", "| Flags | They carry an expiry date |")
    for kind in (BULLET, TASK, PROSE):
        other = document("- Order: The retry queue keeps its order.", "- Flags: they carry an *expiry date*", kind=kind)
        assert match(rows, other).gone == () and match(other, rows).gone == ()


def test_a_row_is_known_by_its_first_cell() -> None:
    old = document("| AB-1 | Names are short |", "| AB-2 | Seats are sold once |")
    new = document("| AB-2 | 同一座位不得售出两次 |", "| AB-1 | 名称要短 |")
    assert dict(match(old, new).pairs) == {0: 1, 1: 0}


def test_a_row_that_took_the_number_of_another_is_known_by_its_text() -> None:
    texts = ("Names say what they hold", "Seats are never sold twice", "Refunds are rounded down")
    old = document(*(f"| R{number} | {text} |" for number, text in enumerate(texts)))
    new = document(*(f"| R{number} | {text} |" for number, text in enumerate((texts[0], texts[2]))))
    pairing = match(old, new)
    assert dict(pairing.pairs) == {0: 0, 2: 1} and pairing.gone == (1,)


def test_equal_texts_are_told_apart_by_their_section() -> None:
    old = document("# Server", "- Tests exist", "# Client", "- Tests exist")
    new = document("# Client", "- Tests exist")
    assert match(old, new).pairs == ((2, 0), (3, 1))


def test_a_rewording_is_paired() -> None:
    for one, other in (
        ("All new fields should name their unit.", "Name the unit of each new field."),
        ("Never store the card number of a customer.", "The card number of customers must not be stored."),
        ("入力された数量の検証を行うこと", "数量の入力値が検証されているか"),
        ("사용자 입력값을 모두 검증한다", "입력값은 모두 검증해야 한다"),
        ("Jede Meldung nennt die Vorgangsnummer.", "In Meldungen steht immer die Vorgangsnummer."),
    ):
        assert match(document(f"- {one}"), document(f"- {other}")).gone == (), one


def test_what_only_stands_at_the_same_place_is_not_paired() -> None:
    for one, other in (
        ("Tests cover the failing branch", "Screens fit a small phone"),
        ("You must not log the token", "You must not use tabs"),
        ("At least 3 people look at it", "At least 3 colours are used"),
        ("予約を消さない移行手順を書いた", "作業した時間を表に入れた"),
        ("错误信息不包含路径", "新增接口需要更新文档"),
    ):
        assert match(document(f"- {one}"), document(f"- {other}")).pairs == (), one


def test_a_label_that_gains_a_translation_is_the_same() -> None:
    old = document("- 古い端末でも開ける", "- 字幕がずれない")
    new = document("- Opens on old devices（古い端末でも開ける）", "- Captions stay in sync（字幕がずれない）")
    assert match(old, new).pairs == ((0, 0), (1, 1))


def test_an_item_may_become_two_and_two_one() -> None:
    one = document("- Barcodes are verified after printing and misprints are logged with their roll.")
    two = document("- Barcodes are verified after printing.", "- Misprints are logged with their roll.")
    apart = match(one, two)
    assert apart.splits == ((0, (0, 1)),) and apart.fresh == ()
    together = match(two, one)
    assert together.gone == () and set(together.merges[0][0]) == {0, 1}


def test_an_item_that_another_one_held_before_is_not_merged_into_it() -> None:
    old = document("- Misprints are logged", "- Misprints are logged with their roll and the time")
    new = document("- Misprints are logged with their roll and the time")
    assert match(old, new).gone == (0,)


def test_an_item_may_become_a_parent_with_children() -> None:
    one = document("- Access: check tokens, the life of a session and roles")
    many = document("- Access", "  - check tokens", "  - the life of a session", "  - roles")
    assert match(one, many).gone == () and match(many, one).gone == ()


def test_a_heading_is_known_by_what_stands_below_it() -> None:
    old = document("# Pflicht", *_lines(*RULES[:4]), "# Rest", *_lines(*RULES[4:]))
    new = document("# 推奨", *_lines(*RULES[:4]), "# Rest", *_lines(*RULES[4:]))
    assert (0, 0) in match(old, new).pairs


def test_settings_are_known_by_their_key_and_entries_of_lists_by_their_text() -> None:
    old = document("a.on: true", "a.checks[]: gosec", "a.checks[]: lll", "!a.skip[]: gosec")
    new = document("!a.skip[]: gosec", "a.checks[]: lll", "a.checks[]: dupl", "a.on: false")
    pairing = match(old, new)
    assert set(pairing.pairs) == {(0, 3), (2, 1), (3, 0)}
    assert pairing.gone == (1,) and pairing.fresh == (2,)


def test_a_setting_that_moved_below_another_key_is_the_same() -> None:
    assert match(document("review.draft: true"), document("reviews.auto.draft: true")).pairs == ((0, 0),)


def test_owner_lines_are_known_by_their_pattern() -> None:
    assert match(document("@/src/ @a", "@/docs/ @a"), document("@/docs/ @b", "@/src/ @a")).pairs == ((0, 1), (1, 0))


def test_a_translation_of_the_same_structure_is_paired_in_order() -> None:
    old = document("# Rules", "- Queries use bound values", "- Seats are sold once")
    new = document("# 規則", "- 問い合わせには値を束縛する", "- 座席は一度だけ売る")
    assert match(old, new).gone == ()


def test_a_pattern_holds_what_is_narrower() -> None:
    for wide, narrow in (
        ("**/*.py", "jobs/nightly/*.py"), ("*", "/src/"), ("/src/", "/src/db/"), ("src/**", "src/a/*.go"),
        ("*.md", "a*.md"), ("docs/?.md", "docs/a.md"),
    ):  # fmt: skip
        assert covers(wide, narrow), (wide, narrow)
        assert not covers(narrow, wide), (wide, narrow)
    assert not covers("src/*.py", "src/db/*.py") and not covers("*.py", "*.pyi")


@settings(deadline=None)
@given(DOCUMENTS, DOCUMENTS)
def test_every_item_is_told_of_once(old: Document, new: Document) -> None:
    pairing = match(old, new)
    merged = [one for group, _ in pairing.merges for one in group[1:]]
    parts = [part for _, group in pairing.splits for part in group[1:]]
    assert sorted([one for one, _ in pairing.pairs] + merged + list(pairing.gone)) == list(range(len(old.items)))
    assert sorted([other for _, other in pairing.pairs] + parts + list(pairing.fresh)) == list(range(len(new.items)))


@settings(deadline=None)
@given(DOCUMENTS)
def test_a_document_is_itself(document: Document) -> None:
    pairing = match(document, document)
    assert pairing.gone == () and pairing.fresh == () and not pairing.splits and not pairing.merges


@settings(deadline=None)
@given(st.lists(st.integers(0, 199), unique=True, min_size=90, max_size=200))
def test_many_items_are_paired_like_few(numbers: list[int]) -> None:
    old = document(*(f"- The counter of part{number}x is kept in its ledger{number * 7}y" for number in numbers))
    shuffled = sorted(numbers, key=lambda number: (number * 31) % 97)
    new = document(*(f"- In ledger{number * 7}y stands the counter of each part{number}x" for number in shuffled))
    found = {
        old.items[one].text.split()[3] == new.items[other].text.split()[-1] for one, other in match(old, new).pairs
    }
    assert found == {True} and not match(old, new).gone


def test_a_translation_between_languages_of_one_script_is_paired_in_order() -> None:
    old = document("# Rules", "- Queries use bound values of the client", "- A seat is sold once and to one guest")
    new = document("# Regeln", "- Abfragen binden ihre Werte für den Kunden", "- Ein Platz wird nicht zweimal verkauft")
    assert match(old, new).gone == ()
    other = document("# Rules", "- Screens fit a phone that is small", "- The palette is for one of the themes")
    assert set(match(old, other).gone) >= {1, 2}


def test_the_language_of_a_text_shows_by_its_words_of_grammar() -> None:
    assert tongue("The lock is released by the caller.") == "en"
    assert tongue("Die Sperre wird von dem Aufrufer gelöst.") == "de"
    assert (
        tongue("ロックを解放する") == "ja"
        and tongue("释放锁之后再写入") == "zh"
        and tongue("`lock` `queue`") == "latin"
    )


def _gone(old: Document, new: Document) -> list[str]:
    return [old.items[at].text for at in match(old, new).gone]


_JAPANESE = (
    "入力は検証すること",
    "変更は 400 行以内に分けること",
    "移行手順には必ず巻き戻しの方法も書いておくこと",
    "`lint` を通すこと",
)
_ENGLISH = ("Input is validated", "Split a change into at most 400 lines",
            "The steps of a migration always describe the way back as well", "`lint` passes")  # fmt: skip


def test_of_a_translation_with_one_item_fewer_that_one_is_gone() -> None:
    for ours, theirs in ((_JAPANESE, _ENGLISH), (_ENGLISH, _JAPANESE)):
        for at in range(4):
            new = document("# X", *_lines(*theirs[:at], *theirs[at + 1 :]))
            assert _gone(document("# X", *_lines(*ours)), new) == [ours[at]]
        more = document("# X", *_lines(*theirs[:2], theirs[0] * 3, *theirs[2:]))
        assert not _gone(document("# X", *_lines(*ours)), more)


def test_the_level_of_a_row_shows_which_one_a_translation_left_out() -> None:
    old = document(*(f"| {n} | {text} | {level} |" for n, (text, level) in enumerate(
        (("入力の検証", "必須"), ("金額の整数", "必須"), ("記録の氏名", "必須"), ("画面の文言", "推奨")))))  # fmt: skip
    new = document(*(f"| {n} | {text} | {level} |" for n, (text, level) in enumerate(
        (("Valid input", "Must"), ("Whole amounts", "Must"), ("Screen texts", "Should")))))  # fmt: skip
    assert len(_gone(old, new)) == 1 and "推奨" not in _gone(old, new)[0]


def test_what_only_has_another_language_is_no_translation() -> None:
    old = document("# X", *_lines(*_ENGLISH, *RULES[:5]))
    assert len(_gone(old, document("# X", *_lines("画面を速く開く", "色を十色に絞る")))) >= 8
