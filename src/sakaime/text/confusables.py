"""Letters that look like Latin ones.

From Unicode's confusables.txt (UTS #39, Unicode 15.1): the letters of these scripts, NFKC forms only, that it holds
for like an ASCII letter. Added to them are Latin's small capitals by their names, and six letters that are written
for their likes although the fonts of the standard tell them apart (ĸ к м η μ ω).
"""

from __future__ import annotations

# Per script, letters each followed by the Latin one that it looks like.
_PAIRS = (
    "ıiĸkƄbƍgƖIƦRƽsǀlɑaɡgɢgɣyɩiɪiɯwɴnʀrʋuʍmʏyʙbʜhʟlᴀaᴄcᴅdᴇeᴊjᴋkᴍm"  # Latin
    "ᴏoᴑoᴘpᴛtᴜuᴠvᴡwᴢzᶃgᶌyẝfỿyꜰfꜱsꞘFꞙfꞟuꞯqꞲJꞳXꞴBꬲeꬵfꬽoꭇrꭈrꭎuꭒuꭚy"  # Latin
    "ͿJΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXαaγyηnιiμuνvοoρpσoτtυuωwϜFϳjϺM"  # Greek
    "ᴦrᴩp"  # Greek
    "ЅSІIЈJАAВBЕEКKМMНHОOРPСCТTУYХXЬbаaвbгrеeкkмmнhоoрpсcтtуyхxѕs"  # Cyrillic
    "іiјjѡwѴVѵvҮYүyһhҽeӀIӏlԁdԌGԍgԛqԜWԝwꙇi"  # Cyrillic
    "ՍUՏSՕOաwգqզqհhոnռnսuցgքfօo"  # Armenian
    "ᎠDᎡRᎢTᎥiᎩYᎪAᎫJᎬEᎳWᎷMᎻHᎽYᏀGᏂhᏃZᏏbᏒRᏔWᏕSᏙVᏚSᏞLᏟCᏢPᏦKᏧdᏳGᏴBᏻgᏼb"  # Cherokee
    "ꭰdꭱrꭲtꭵiꭺaꭻjꭼeꮁrꮃwꮋhꮐgꮓzꮢrꮩvꮪsꮮiꮯcꮲp"  # Cherokee
    "ⲅrⲎHⲒIⲔKⲘMⲚNⲞOⲟoⲢPⲣpⲤCⲥcⲦTⲨYⲬXⳐLⳑl"  # Coptic
    "ꓐBꓑPꓒdꓓDꓔTꓖGꓗKꓙJꓚCꓜZꓝFꓟMꓠNꓡLꓢSꓣRꓦVꓧHꓪWꓫXꓬYꓮAꓰEꓲIꓳOꓴU"  # Lisu
)
LATIN_LIKE: dict[str, str] = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))

# The other way round, for Cyrillic text with Latin letters in it: by the Latin letter, that of the Russian alphabet.
CYRILLIC_LIKE = {latin: letter for letter, latin in LATIN_LIKE.items() if "А" <= letter <= "я"}


def _folded(letter: str) -> str:
    """What a case-folded letter looks like, in lower case: as it is, or else in its other case."""
    return next((LATIN_LIKE[c].lower() for c in (letter, letter.upper(), letter.lower()) if c in LATIN_LIKE), letter)


# By case-folded letter. Upper and lower case are one here, as they are for RE2: where they look like different
# letters, the lower case counts.
FOLDED = {
    letter: latin for letter in sorted({c.casefold() for c in LATIN_LIKE}) if (latin := _folded(letter)) != letter
}
