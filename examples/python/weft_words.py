"""The author's words of a publication: its metadata on chain. The standard library alone. Python 3.9 or newer.

    from weft_words import WordsError, encode, parse

    words = parse(metadata)  # None where the metadata is no words
    if words and "title" in words:
        print(words["title"], words.get("present"))

Words are dictionaries, spelled as on chain: ``description``, ``licence``, ``made_from``, ``present``, ``source``,
``title``. A connector has no ``source``; others have no ``title`` and no ``present``. Readers ignore those.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any, Callable, Mapping, Optional

__all__ = ["MAX_BYTES", "WordsError", "encode", "parse"]

MAX_BYTES = 8192
MAX_DESCRIPTION = 2000
MAX_MADE_FROM = 8
MAX_TITLE = 80
MAX_KNOB_NAME = 60
MAX_KNOBS = 8
MAX_PATHS = 64
MAX_SLOTS = 8

UINT32_MAX = 4_294_967_295
INT32 = (-2_147_483_648, 2_147_483_647)
MAX_INDEX = 65_535

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
LICENCE = re.compile(r"[A-Za-z0-9(](?:[A-Za-z0-9.+() -]{0,62}[A-Za-z0-9+)])?")
HASH = re.compile(r"0x[0-9a-f]{64}")
INDEX = r"(0|[1-9][0-9]{0,9})"
PLACE = re.compile(
    rf"(?:({NAME.pattern}):)?(?:(start|shift)/{INDEX}|(condition)/{INDEX}|(call)/{INDEX}/{INDEX}/{INDEX})"
)

#: Control characters, line separators, bidirectional controls, byte order marks and tags.
HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)
SPACES = "\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
#: Drawn as nothing by themselves.
BLANKS = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0080-\U000e0fff"
)
#: Blocks of combining diacritical marks.
MARKS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
UNFIT_EDGE = re.compile(f"\\A[{SPACES}{MARKS}]|[{SPACES}]\\Z")
VISIBLE = re.compile(f"[^{SPACES}{BLANKS}{MARKS}]")
STACK = re.compile(f"[{MARKS}]{{5}}")


class WordsError(ValueError):
    """The words break a rule of the format."""


def encode(words: Mapping[str, Any]) -> bytes:
    """Writes words as canonical JSON. Fields that are ``None`` or empty are left out; no words are no bytes."""
    given = {key: value for key, value in words.items() if value not in (None, "", [])}
    if not given:
        return b""
    problem = _WORDS(given, "words")
    if problem is not None:
        raise WordsError(f"The words break a rule of the format at {problem}")
    data = json.dumps(_ordered(given), ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    if len(data) > MAX_BYTES:
        raise WordsError(f"The words take {len(data)} bytes, more than {MAX_BYTES}")
    return data


def parse(metadata: bytes) -> Optional[dict[str, Any]]:
    """Reads the metadata of a publication. Returns ``None`` for all that :func:`encode` does not write."""
    if not 0 < len(metadata) <= MAX_BYTES:
        return None
    try:
        words = json.loads(metadata.decode("utf-8"))
        return words if isinstance(words, dict) and encode(words) == metadata else None
    except (ValueError, RecursionError):
        return None


#: Returns the place where a value breaks a rule, None where it keeps them.
Rule = Callable[[Any, str], Optional[str]]


def _rule(is_kept: Callable[[Any], bool]) -> Rule:
    return lambda value, at: None if is_kept(value) else at


def _whole(least: int, most: int) -> Rule:
    # Booleans are integers to Python.
    return _rule(lambda value: type(value) is int and least <= value <= most)


def _text(is_kept: Callable[[str], bool]) -> Rule:
    return _rule(lambda value: isinstance(value, str) and is_kept(value))


def _list(item: Rule, most: int, key: Callable[[Any], Any]) -> Rule:
    def check(value: Any, at: str) -> Optional[str]:
        if not isinstance(value, list) or not 0 < len(value) <= most:
            return at
        for index, each in enumerate(value):
            problem = item(each, f"{at}[{index}]")
            if problem is not None:
                return problem
        return None if len({key(each) for each in value}) == len(value) else at

    return check


def _fields(
    required: Mapping[str, Rule],
    optional: Mapping[str, Rule] = {},
    is_kept: Callable[[Mapping[str, Any]], bool] = lambda value: True,
) -> Rule:
    rules = {**required, **optional}

    def check(value: Any, at: str) -> Optional[str]:
        if not isinstance(value, dict) or not value:
            return at
        for key in required:
            if key not in value:
                return f"{at}.{key}"
        for key, each in value.items():
            problem = rules[key](each, f"{at}.{key}") if key in rules else f"{at}.{key}"
            if problem is not None:
                return problem
        return None if is_kept(value) else at

    return check


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _is_line(text: str, most: int) -> bool:
    unfit = HIDDEN.search(text) or re.search("[\t\n\ud800-\udfff]", text) or UNFIT_EDGE.search(text) or STACK.search(text)
    return _units(text) <= most and not unfit and VISIBLE.search(text) is not None


def _is_source(text: str) -> bool:
    # In a body no invisible character has a use.
    unfit = HIDDEN.search(text.replace("\r", "")) or any(unicodedata.category(each) in ("Cf", "Cs") for each in text)
    return not unfit


def _is_place(text: str) -> bool:
    match = PLACE.fullmatch(text)
    if match is None:
        return False
    position, numbers = match[3], [each for each in (match[5], match[7], match[8], match[9]) if each is not None]
    return all(int(each) <= MAX_INDEX for each in numbers) and (position is None or int(position) <= UINT32_MAX)


def _is_range(knob: Mapping[str, Any]) -> bool:
    least, most = knob["min"], knob["max"]
    is_condition = "condition/" in knob["at"]
    return least < most and (most <= INT32[1] if is_condition else least >= 0)


def _ordered(words: Mapping[str, Any]) -> dict[str, Any]:
    """Paths and slots in ascending order; the encoder orders keys."""
    present = words.get("present")
    if present is None:
        return dict(words)
    present = dict(present)
    for name, items, key in (("world", "slots", "slot"), ("sound", "paths", "path")):
        if items in present.get(name, {}):
            present[name] = {**present[name], items: sorted(present[name][items], key=lambda each: each[key])}
    return {**words, "present": present}


_name = _text(lambda value: NAME.fullmatch(value) is not None)
_flag = _rule(lambda value: isinstance(value, bool))
_word = _text(lambda value: re.fullmatch(r"[a-z][a-z0-9_]{0,31}", value) is not None)
_percent = _whole(0, 100)
_number = _whole(INT32[0], UINT32_MAX)

_PATH = _fields(
    {
        "path": _text(
            lambda value: len(value) <= 200
            and re.fullmatch(r"(?:0|[1-9][0-9]{0,4})(?:/(?:0|[1-9][0-9]{0,4}))*", value) is not None
        )
    },
    {
        "role": _word,
        "instrument": _word,
        "muted": _flag,
        "mapping": _word,
        "scale": _word,
        "octave": _whole(0, 8),
        "span": _whole(1, 6),
        "hits": _word,
        "level": _percent,
        "pan": _whole(-100, 100),
        "room": _percent,
        "echo": _percent,
    },
    lambda value: len(value) > 1,
)

_KNOB = _fields(
    {
        "name": _text(lambda value: _is_line(value, MAX_KNOB_NAME)),
        "at": _text(_is_place),
        "min": _number,
        "max": _number,
    },
    is_kept=_is_range,
)

_WORLD = _fields(
    {
        "bundle_hash": _text(lambda value: re.fullmatch("[0-9a-f]{64}", value) is not None),
        "slug": _text(lambda value: re.fullmatch("[a-z0-9-]{1,80}", value) is not None),
    },
    {"slots": _list(_fields({"connector": _name, "slot": _name}), MAX_SLOTS, lambda each: each["slot"])},
)

_SOUND = _fields(
    {},
    {
        "root": _whole(0, 11),
        "scale": _word,
        "steps_per_beat": _rule(lambda value: type(value) is int and value in (1, 2, 3, 4, 6, 8)),
        "swing": _percent,
        "paths": _list(_PATH, MAX_PATHS, lambda each: each["path"]),
    },
)

_PRESENT = _fields(
    {"particles": _whole(1, 65_536), "tempo": _whole(20, 2_400), "loop": _flag},
    {"world": _WORLD, "knobs": _list(_KNOB, MAX_KNOBS, lambda each: each["at"]), "sound": _SOUND},
)

_ORIGIN = _fields(
    {
        "content_hash": _text(lambda value: HASH.fullmatch(value) is not None),
        "kind": _rule(lambda value: value in ("connector", "transformation", "condition")),
        "name": _name,
    }
)

_WORDS = _fields(
    {},
    {
        "description": _text(lambda value: _units(value) <= MAX_DESCRIPTION and not re.search("[\ud800-\udfff]", value) and not HIDDEN.search(value)),
        "licence": _text(lambda value: LICENCE.fullmatch(value) is not None),
        "made_from": _list(_ORIGIN, MAX_MADE_FROM, lambda each: (each["kind"], each["name"])),
        "present": _PRESENT,
        "source": _text(_is_source),
        "title": _text(lambda value: _is_line(value, MAX_TITLE)),
    },
)
