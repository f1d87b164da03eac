"""The steps of docs/certificate.md, in their order."""

from .evm import Evm, NotComputable
from .header import header_fields
from .keccak import keccak256
from .read import read
from .refusal import Refusal, quoted
from .tree import Tree, reads_more, tuple_of, word
from .trie import Nodes, proven_account, proven_word
from .trust import trusted

MAX_NAMED = 3
MAX_STEPS = 20_000_000
MAX_VALUES = 4 * 1024 * 1024
REGISTRY = "627b34708b7436c6050e1cdbf80399bb2dbe6be10c0de8cfdc0012ac455608aa"
REGISTRY_WORDS = [600, 641, 13891, 13938, 14017, 14055, 14121]
RUNNER = "ac03209d67636471979963ce7f1aa936e572629600c6f3389690146e84ba228f"
RUNNER_WORDS = [132, 480]
DOMAIN = b"EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"


def check_text(data, block=None, nodes=()):
    """Checks the bytes of a file: verdict, code, sentence, and what the file states of its block.

    block: hash of a block that the reader trusts; nodes: addresses of nodes that the reader trusts.
    """
    stated = dict.fromkeys(("chain", "block", "registry", "sources"))
    try:
        facts = read(data)
        number, digest = facts["block"]
        stated = {
            "chain": facts["id"],
            "block": {"number": number, "hash": f"0x{digest.hex()}", "final": facts["final"]},
            "registry": f"0x{facts['registry'].hex()}",
            "sources": facts["sources"],
        }
        tree = _check(facts)
        said = trusted(facts, block, nodes)
        verdict = "consistent" if said is None else "proven"
        return {"verdict": verdict, "code": verdict, "sentence": _sentence(facts, tree, said), **stated}
    except Refusal as refusal:
        verdict = "refuted" if refusal.refuted else "undecided"
        return {"verdict": verdict, "code": refusal.code, "sentence": str(refusal), **stated}


def _header(facts):
    data, (number, digest) = facts["header"], facts["block"]
    fields = header_fields(data)
    if fields is None:
        raise Refusal("header", "The header in the file is no header of a block.")
    if keccak256(data) != digest:
        raise Refusal("header_hash", "The header has another hash than the one that is stated.")
    if int.from_bytes(fields[8], "big") != number:
        raise Refusal("header_number", f"The header is of another block than {number}.")
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
    state_root = _header(facts)[3]
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
    what = f"entry of {quoted(connector)}"
    entry = proven_word(nodes, storage_root, slot, what)
    if entry == 0:
        raise Refusal("entry_absent", f"The registry had no connector {quoted(connector)} at this block.")
    if tree.name != connector or word(entry)[12:] != tree.root:
        raise Refusal("root_address", f"The registry has {quoted(connector)} where the code in the file does not belong.")
    content = proven_word(nodes, storage_root, word(int.from_bytes(slot, "big") + 2), what)
    if word(content) != tree.hashes[tree.root]:
        raise Refusal("content_hash", f"The registry has another content hash for {quoted(connector)} than the file's code.")
    for address, (kind, name, code) in tree.entities.items():
        if proven_account(nodes, state_root, address, f"{kind} {quoted(name)}")[1] != keccak256(code):
            raise Refusal("entity_code", f"The state of the block has other code for {kind} {quoted(name)} than the file.")
    if nodes.unused():
        raise Refusal("nodes_unused", f"The file has {_counted(nodes.unused(), 'node')} that no proof needs.")
    if any(reads_more(code) for kind, _, code in tree.entities.values() if kind != "connector"):
        raise Refusal("not_recheckable", "The run depends on more than its input. Run it again at a node.", False)
    _compare(facts, tree)
    return tree


def _compare(facts, tree):
    selector = keccak256(b"generateAt(address,uint32,(uint32,uint32,uint32)[])")[:4]
    starts = word(len(facts["starts"])) + b"".join(word(n) for one in facts["starts"] for n in one)
    data = selector + tuple_of([int.from_bytes(tree.root, "big"), facts["count"], starts])
    codes = {address: code for address, (_, _, code) in tree.entities.items()}
    codes[facts["runner"]] = facts["runner_code"]
    leaves = int.from_bytes(codes[tree.root][2:4], "big")
    if leaves * facts["count"] > MAX_VALUES:
        raise Refusal("too_large", "The run has more values than this check computes.", False)
    try:
        ok, output = Evm(codes, facts["runner"], MAX_STEPS).call(facts["runner"], data)
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


def _sentence(facts, tree, said):
    leaves = int.from_bytes(tree.entities[tree.root][2][2:4], "big")
    values = leaves * facts["count"]
    what = "the rejection of this run is"
    if facts["result"] == "particles":
        what = f"the {_counted(values, 'value')} of {_counted(leaves, 'path')} {'is' if values == 1 else 'are'}"
    number, digest = facts["block"]
    found = (
        f"{what} what the code of {quoted(tree.name)} and its {_counted(len(tree.entities) - 1, 'part')} computes, and any "
        f"later block gives the same; that code is registered at 0x{facts['registry'].hex()} in the state of block {number} "
        f"(0x{digest.hex()})"
    )
    if said is not None:
        return f"Proven: {found}, which is of chain {facts['id']}: {said}."
    names = ", ".join(quoted(one) for one in facts["sources"][:MAX_NAMED])
    more = len(facts["sources"]) - MAX_NAMED
    return (
        f"Consistent: {found}. Not checked: that this block is of chain {facts['id']}. Its author says so, "
        f"{'as final' if facts['final'] else 'as not yet final'}, and names {names}"
        f"{f' and {more} more' if more > 0 else ''}; name a block or a node that you trust."
    )
