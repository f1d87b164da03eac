"""The steps of docs/certificate.md, in their order."""

import base64
import binascii
import json
import re
import zlib

from .evm import Evm, NotComputable
from .keccak import keccak256
from .refusal import MAX_TEXT, Refusal
from .tree import KINDS, Tree, reads, tuple_of, word
from .trie import MalformedRlp, Nodes, decode_rlp, proven_account, proven_word

FORMAT = "weft-certificate-1"
KEYS = set("format chain connector count starts block ran_at sources result entities packed".split())
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}\Z")
SOURCE = re.compile(r"[!-~](?:[ -~]{0,98}[!-~])?\Z")
SAFE = (1 << 53) - 1
MAX_UNPACKED = 16 * 1024 * 1024
MAX_STEPS = 20_000_000
MAX_VALUES = 4 * 1024 * 1024
SIZES = {0: 32, 1: 32, 2: 20, 3: 32, 4: 32, 5: 32, 6: 256, 13: 32, 14: 8}
REGISTRY = "627b34708b7436c6050e1cdbf80399bb2dbe6be10c0de8cfdc0012ac455608aa"
REGISTRY_WORDS = [600, 641, 13891, 13938, 14017, 14055, 14121]
RUNNER = "ac03209d67636471979963ce7f1aa936e572629600c6f3389690146e84ba228f"
RUNNER_WORDS = [132, 480]
DOMAIN = b"EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"


def check_text(data):
    """Checks the bytes of a file: verdict, code and sentence."""
    try:
        return {"verdict": "proven", "code": "proven", "sentence": _check(_read(data))}
    except Refusal as refusal:
        verdict = "refuted" if refusal.refuted else "undecided"
        return {"verdict": verdict, "code": refusal.code, "sentence": str(refusal)}


def _wrong(why):
    return Refusal("format", f"This is no certificate that can be read: {why}.")


def _not_packed(why):
    return Refusal("packed", f"The packed part of the file cannot be read: it {why}.")


def _integer(value, what, most, least=0):
    if isinstance(value, float) and value.is_integer():
        value = int(value)
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


def _read(data):
    if len(data) > MAX_TEXT:
        raise _wrong("it is larger than 8 MiB")
    try:
        file = json.loads(data.decode())
    except (ValueError, RecursionError):
        raise _wrong("it is no JSON") from None
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
    for entity in _list(file["entities"], "entities", 1, 1024):
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
    ran_at = file["ran_at"]
    facts = {
        "id": _integer(chain["id"], "chain.id", SAFE),
        "registry": _bytes(chain["registry"], "chain.registry", 20),
        "runner": _bytes(chain["runner"], "chain.runner", 20),
        "connector": file["connector"],
        "count": _integer(file["count"], "count", 65536, 1),
        "starts": [[_integer(n, "starts", 2**32 - 1) for n in _list(one, "starts", 3, 3)] for one in starts],
        "block": _block(block, "block"),
        "final": block["final"],
        "ran_at": ran_at if ran_at is None else _block(_record(ran_at, "ran_at", "number hash"), "ran_at"),
        "sources": sources,
        "result": file["result"],
    }
    sections = _unpack(file["packed"])
    if len(sections) < 5 + len(entities):
        raise _not_packed("has too few parts")
    for i, name in enumerate(("header", "ran_at_header", "registry_code", "runner_code", "answer")):
        facts[name] = sections[i]
    facts["entities"] = [(kind, name, sections[5 + i]) for i, (kind, name) in enumerate(entities)]
    facts["nodes"] = sections[5 + len(entities) :]
    return facts


def _is_name(value):
    return isinstance(value, str) and NAME.match(value) is not None


def _unpack(packed):
    try:
        if not isinstance(packed, str):
            raise ValueError
        data = base64.b64decode(packed, validate=True)
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
    sections, at = [], 4
    for _ in range(int.from_bytes(data[:4], "big") if len(data) >= 4 else 1 << 32):
        end = at + 4 + int.from_bytes(data[at : at + 4], "big")
        if at + 4 > len(data) or end > len(data):
            raise _not_packed("ends early")
        sections.append(data[at + 4 : end])
        at = end
    if at != len(data):
        raise _not_packed("has bytes after its end")
    return sections


def _header(data, block, whose):
    number, digest = block
    bad = Refusal("header", f"The header of {whose} is no header of a block.")
    try:
        fields = decode_rlp(data)
    except MalformedRlp:
        raise bad from None
    if not isinstance(fields, list) or not 15 <= len(fields) <= 32:
        raise bad
    if not all(isinstance(field, bytes) for field in fields):
        raise bad
    if any(len(fields[i]) != size for i, size in SIZES.items()):
        raise bad
    if any(len(fields[i]) > 32 or fields[i][:1] == b"\0" for i in (8, 9, 11)):
        raise bad
    if int.from_bytes(fields[8], "big") > SAFE:
        raise bad
    if keccak256(data) != digest:
        raise Refusal("header_hash", f"The header of {whose} has another hash than the one that is stated.")
    if int.from_bytes(fields[8], "big") != number:
        raise Refusal("header_number", f"The header of {whose} is of another block than {number}.")
    return fields


def _words(code, places, digest):
    blank = bytearray(code)
    for at in places:
        blank[at : at + 32] = bytes(len(blank[at : at + 32]))
    if keccak256(bytes(blank)).hex() != digest:
        return None
    return [code[at : at + 32] for at in places]


def _short(value):
    return value.ljust(31, b"\0") + bytes([len(value)])


def _check_registry(code, address, chain_id):
    words = _words(code, REGISTRY_WORDS, REGISTRY)
    if words is None:
        raise Refusal("registry_unknown", "The code at the registry's address is not Weft's Registry.")
    if words[6] != word(chain_id):
        made = int.from_bytes(words[6], "big")
        raise Refusal("other_chain", f"The registry's code was made on chain {made}, not on chain {chain_id}.")
    name, version = keccak256(b"Weft Registry"), keccak256(b"1")
    place = bytes(12) + address
    domain = keccak256(keccak256(DOMAIN) + name + version + word(chain_id) + place)
    if words[:6] != [_short(b"Weft Registry"), _short(b"1"), place, domain, name, version]:
        raise Refusal("registry_words", "The registry was not made by its own constructor.")


def _check(facts):
    state_root = _header(facts["header"], facts["block"], "the proof")[3]
    nodes = Nodes(facts["nodes"])
    registry, runner = facts["registry"], facts["runner"]
    storage_root, code_hash = proven_account(nodes, state_root, registry, f"registry at 0x{registry.hex()}")
    if keccak256(facts["registry_code"]) != code_hash:
        raise Refusal("registry_code", "The registry's code in the file is not the one in the state of the block.")
    _check_registry(facts["registry_code"], registry, facts["id"])
    _, code_hash = proven_account(nodes, state_root, runner, f"runner at 0x{runner.hex()}")
    if keccak256(facts["runner_code"]) != code_hash:
        raise Refusal("runner_code", "The runner's code in the file is not the one in the state of the block.")
    words = _words(facts["runner_code"], RUNNER_WORDS, RUNNER)
    if words is None:
        raise Refusal("runner_unknown", "The code at the runner's address is not Weft's Runner.")
    if words != [bytes(12) + registry] * 2:
        raise Refusal("runner_registry", "The runner looks names up in another registry.")

    tree = Tree(registry, facts["entities"])
    connector = facts["connector"]
    slot = keccak256(keccak256(connector.encode()) + keccak256(word(0) + word(0)))
    what = f"entry of {connector}"
    entry = proven_word(nodes, storage_root, slot, what)
    if entry == 0:
        raise Refusal("entry_absent", f"The registry had no connector {connector} at this block.")
    if tree.name != connector or word(entry)[12:] != tree.root:
        raise Refusal("root_address", f"The registry has {connector} where the code in the file does not belong.")
    content = proven_word(nodes, storage_root, word(int.from_bytes(slot, "big") + 2), what)
    if word(content) != tree.hashes[tree.root]:
        raise Refusal("content_hash", f"The registry has another content hash for {connector} than the file's code.")
    for address, (kind, name, code) in tree.entities.items():
        if proven_account(nodes, state_root, address, f"{kind} {name}")[1] != keccak256(code):
            raise Refusal("entity_code", f"The state of the block has other code for {kind} {name} than the file.")
    if nodes.unused():
        raise Refusal("nodes_unused", f"The file has {_counted(nodes.unused(), 'node')} that no proof needs.")
    _compare(facts, tree, _fields(facts, tree))
    return _sentence(facts, tree)


def _fields(facts, tree):
    found = [reads(code) for kind, _, code in tree.entities.values() if kind != "connector"]
    if any(surroundings for _, surroundings in found):
        raise Refusal("surroundings", "The run depends on more than its input and the block.", False)
    if not any(block for block, _ in found):
        if facts["ran_at"] is None and facts["ran_at_header"] == b"":
            return None
        raise Refusal("ran_at", "The run reads no block, and the file names one that it would read.")
    if facts["ran_at"] is None:
        raise Refusal("ran_at", "The run reads the block, and the file does not say which one.")
    header = _header(facts["ran_at_header"], facts["ran_at"], "the run")
    places = {"parent_hash": 0, "coinbase": 2, "number": 8, "gas_limit": 9, "timestamp": 11, "prev_randao": 13}
    fields = {name: int.from_bytes(header[at], "big") for name, at in places.items()}
    fields["base_fee"] = int.from_bytes(header[15], "big") if len(header) > 15 else 0
    fields["chain_id"] = facts["id"]
    return fields


def _compare(facts, tree, block):
    selector = keccak256(b"generateAt(address,uint32,(uint32,uint32,uint32)[])")[:4]
    starts = word(len(facts["starts"])) + b"".join(word(n) for one in facts["starts"] for n in one)
    data = selector + tuple_of([int.from_bytes(tree.root, "big"), facts["count"], starts])
    codes = {address: code for address, (_, _, code) in tree.entities.items()}
    codes[facts["runner"]] = facts["runner_code"]
    leaves = int.from_bytes(codes[tree.root][2:4], "big")
    if leaves * facts["count"] > MAX_VALUES:
        raise Refusal("too_large", "The run has more values than this check computes.", False)
    try:
        ok, output = Evm(codes, facts["runner"], block, MAX_STEPS).call(facts["runner"], data)
    except (NotComputable, RecursionError) as error:
        raise Refusal("not_computable", f"The run was not computed here: {error}.", False) from None
    said = facts["result"] == "particles"
    if ok != said:
        raise Refusal("outcome", "The code gives values where the file has a rejection, or the other way round.")
    if output == facts["answer"]:
        return
    if not said:
        raise Refusal("reason", "The code rejects this run for another reason than the file says.")
    raise Refusal("values", "The values of the file are not those that the code gives.")


def _counted(count, noun):
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _sentence(facts, tree):
    leaves = int.from_bytes(tree.entities[tree.root][2][2:4], "big")
    values = leaves * facts["count"]
    what = "the rejection of this run is"
    if facts["result"] == "particles":
        what = f"the {_counted(values, 'value')} of {_counted(leaves, 'path')} {'is' if values == 1 else 'are'}"
    ran_at, sources = facts["ran_at"], facts["sources"]
    reading = f", reading the fields of block {ran_at[0]} (0x{ran_at[1].hex()})" if ran_at else ""
    hold = "" if ran_at else ", and any later block gives the same"
    given = f"the word of {len(sources)} sources that agreed ({', '.join(sources)})"
    if len(sources) == 1:
        given = f"the word of one source alone ({sources[0]})"
    return (
        f"Proven: {what} what the code of {tree.name} and its {_counted(len(tree.entities) - 1, 'part')} "
        f"computes{reading}, computed again here; that code is registered on chain {facts['id']} at block "
        f"{facts['block'][0]}, by Merkle proof against the state root of its header 0x{facts['block'][1].hex()}{hold}; "
        f"not proven: {'the headers themselves' if ran_at else 'the header itself'}, "
        f"{'final' if facts['final'] else 'not yet final'} by {given}."
    )
