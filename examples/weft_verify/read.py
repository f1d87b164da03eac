"""The file: step 1 of docs/certificate.md."""

import base64
import binascii
import json
import re
import zlib

from .header import SAFE
from .refusal import MAX_TEXT, Refusal
from .tree import KINDS

FORMAT = "weft-certificate-1"
KEYS = set("format chain connector count starts block ran_at sources result entities packed".split())
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}\Z")
SOURCE = re.compile(r"[!-~](?:[ -~]{0,98}[!-~])?\Z")
MAX_UNPACKED = 16 * 1024 * 1024
INTEGER = re.compile(r"(?:0|[1-9][0-9]{0,15})\Z")
# Bytes of a header, of code (EIP-170) and of a node; nodes a walk, on average, and the walks beside those to entities.
MAX_HEADER, MAX_CODE, MAX_NODE = 8192, 24_576, 576
NODES_A_WALK, FIXED_WALKS = 16, 4
FIXED_SECTIONS = 5


def _wrong(why):
    return Refusal("format", f"This is no certificate that can be read: {why}.")


def _not_packed(why):
    return Refusal("packed", f"The packed part of the file cannot be read: it {why}.")


def _integer(value, what, most, least=0):
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise _wrong(f"{what} is no whole number in its range")
    return value


def _bytes(value, what, size):
    if not isinstance(value, str) or not re.fullmatch(f"0x[0-9a-f]{{{2 * size}}}", value):
        raise _wrong(f"{what} is not {size} bytes in lower-case hexadecimal digits")
    return bytes.fromhex(value[2:])


def _record(value, what, keys):
    if not isinstance(value, dict) or set(value) != set(keys.split()):
        raise _wrong(f"{what} has not the fields of the format")
    return value


def _list(value, what, least, most):
    if not isinstance(value, list) or not least <= len(value) <= most:
        raise _wrong(f"{what} is no list of the right length")
    return value


def _block(value, what):
    return _integer(value["number"], f"{what}.number", SAFE), _bytes(value["hash"], f"{what}.hash", 32)


def _pairs(pairs):
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _number(text):
    if INTEGER.match(text) is None:
        raise ValueError("a number is no whole one")
    return int(text)


def read(data):
    if len(data) > MAX_TEXT:
        raise _wrong("it is larger than 8 MiB")
    try:
        file = json.loads(
            data.decode(), object_pairs_hook=_pairs, parse_int=_number, parse_float=_number, parse_constant=_number
        )
    except (ValueError, RecursionError):
        raise _wrong("it is no JSON, or has a key twice or a number that is not written as a whole one") from None
    if not isinstance(file, dict):
        raise _wrong("it is no JSON object")
    if file.get("format") != FORMAT:
        raise _wrong(f"it is not of the format {FORMAT}")
    if set(file) != KEYS:
        raise _wrong("its fields are not those of the format")
    chain = _record(file["chain"], "chain", "id registry runner")
    block = _record(file["block"], "block", "number hash final")
    if not isinstance(block["final"], bool):
        raise _wrong("block.final is not true or false")
    entities = []
    for entity in _list(file["entities"], "entities", 1, 256):
        kind, name = _list(entity, "entities", 2, 2)
        if not isinstance(kind, str) or kind not in KINDS or not _is_name(name):
            raise _wrong("entities holds no kind and name")
        entities.append((kind, name))
    if not _is_name(file["connector"]):
        raise _wrong("connector is no name")
    if file["result"] not in ("particles", "revert"):
        raise _wrong("result is neither particles nor revert")
    sources = _list(file["sources"], "sources", 1, 16)
    if not all(isinstance(one, str) and SOURCE.match(one) for one in sources):
        raise _wrong("a source is not 1 to 100 printable characters")
    starts = _list(file["starts"], "starts", 0, 4096)
    if file["ran_at"] is not None:
        raise _wrong("ran_at is not null: a run that reads a block has no certificate")
    facts = {
        "id": _integer(chain["id"], "chain.id", SAFE),
        "registry": _bytes(chain["registry"], "chain.registry", 20),
        "runner": _bytes(chain["runner"], "chain.runner", 20),
        "connector": file["connector"],
        "count": _integer(file["count"], "count", 65536, 1),
        "starts": [[_integer(n, "starts", 2**32 - 1) for n in _list(one, "starts", 3, 3)] for one in starts],
        "block": _block(block, "block"),
        "final": block["final"],
        "sources": sources,
        "result": file["result"],
    }
    sections = _unpack(file["packed"], FIXED_SECTIONS + len(entities))
    if sections[1]:
        raise _not_packed("has a second header")
    for i, name in ((0, "header"), (2, "registry_code"), (3, "runner_code"), (4, "answer")):
        facts[name] = sections[i]
    facts["entities"] = [(kind, name, sections[5 + i]) for i, (kind, name) in enumerate(entities)]
    facts["nodes"] = sections[5 + len(entities) :]
    return facts


def _is_name(value):
    return isinstance(value, str) and NAME.match(value) is not None


def _unpack(packed, fixed):
    try:
        if not isinstance(packed, str):
            raise ValueError
        data = base64.b64decode(packed, validate=True)
        if base64.b64encode(data).decode() != packed:
            raise ValueError
    except (ValueError, binascii.Error):
        raise _not_packed("is no base64") from None
    try:
        inflater = zlib.decompressobj()
        data = inflater.decompress(data, MAX_UNPACKED + 1)
    except zlib.error:
        raise _not_packed("is not compressed as the format says") from None
    if len(data) > MAX_UNPACKED:
        raise _not_packed("is larger than 16 MiB")
    if not inflater.eof or inflater.unused_data:
        raise _not_packed("is not compressed as the format says")
    total = _length(data, 0)
    if total < fixed:
        raise _not_packed("has too few parts")
    if total > fixed + NODES_A_WALK * (FIXED_WALKS + fixed - FIXED_SECTIONS):
        raise _not_packed("has more nodes than proofs need")
    sections, at = [], 4
    for i in range(total):
        size = _length(data, at)
        end = at + 4 + size
        if end > len(data):
            raise _not_packed("ends early")
        if size > _largest(i, fixed):
            raise _not_packed("has a part that is too large")
        sections.append(data[at + 4 : end])
        at = end
    if at != len(data):
        raise _not_packed("has bytes after its end")
    return sections


def _length(data, at):
    if at + 4 > len(data):
        raise _not_packed("ends early")
    return int.from_bytes(data[at : at + 4], "big")


def _largest(index, fixed):
    if index == 0:
        return MAX_HEADER
    if index == 4:
        return MAX_UNPACKED
    return MAX_CODE if index < fixed else MAX_NODE
