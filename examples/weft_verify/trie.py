"""Recursive Length Prefix, and walks through Merkle-Patricia tries."""

from .keccak import keccak256
from .refusal import Refusal

EMPTY_ROOT = keccak256(b"\x80")
MAX_DEPTH = 16


class MalformedRlp(Exception):
    """The bytes are no canonical RLP."""


def decode_rlp(data):
    item, end = _item(data, 0, len(data), 0)
    if end != len(data):
        raise MalformedRlp
    return item


def _item(data, at, limit, depth):
    if at >= limit or depth > MAX_DEPTH:
        raise MalformedRlp
    head = data[at]
    if head < 0x80:
        return data[at : at + 1], at + 1
    base = 0x80 if head < 0xC0 else 0xC0
    size, start = head - base, at + 1
    if size > 55:
        start += size - 55
        if size - 55 > 4 or start > limit or data[at + 1] == 0:
            raise MalformedRlp
        size = int.from_bytes(data[at + 1 : start], "big")
        if size < 56:
            raise MalformedRlp
    end = start + size
    if end > limit:
        raise MalformedRlp
    if base == 0x80:
        item = data[start:end]
        if size == 1 and item[0] < 0x80:
            raise MalformedRlp
        return item, end
    items = []
    while start < end:
        item, start = _item(data, start, end, depth + 1)
        items.append(item)
    return items, end


class Nodes:
    """Nodes by hash; those that a walk passed are remembered."""

    def __init__(self, nodes):
        self._nodes = {keccak256(node): node for node in nodes}
        self._total = len(nodes)
        self._used = set()

    def unused(self):
        return self._total - len(self._used)

    def node(self, digest, what):
        if digest not in self._nodes:
            raise Refusal("proof_missing", f"The proof of {what} is broken: the file has no node 0x{digest.hex()}.")
        self._used.add(digest)
        return decoded(self._nodes[digest], what)


def malformed(what):
    return Refusal("proof_node", f"The proof of {what} is broken: a node is malformed.")


def decoded(data, what):
    try:
        return decode_rlp(data)
    except MalformedRlp:
        raise malformed(what) from None


def proven_value(nodes, root, key, what):
    """The value below a key of 32 bytes, or None if the nodes prove that there is none."""
    if root == EMPTY_ROOT:
        return None
    path = key.hex()
    node = nodes.node(root, what)
    while True:
        if not isinstance(node, list):
            raise malformed(what)
        if len(node) == 17:
            if path == "":
                raise malformed(what)
            child = node[int(path[0], 16)]
            path = path[1:]
        elif len(node) == 2 and isinstance(node[0], bytes) and node[0]:
            prefix = node[0].hex()
            flag = int(prefix[0], 16)
            if flag > 3 or (flag % 2 == 0 and prefix[1] != "0"):
                raise malformed(what)
            part = prefix[1:] if flag % 2 else prefix[2:]
            if flag > 1:
                if part != path:
                    return None
                if not isinstance(node[1], bytes):
                    raise malformed(what)
                return node[1]
            if part == "":
                raise malformed(what)
            if not path.startswith(part):
                return None
            path = path[len(part) :]
            child = node[1]
        else:
            raise malformed(what)
        if isinstance(child, list):
            node = child
        elif child == b"":
            return None
        elif len(child) == 32:
            node = nodes.node(child, what)
        else:
            raise malformed(what)


def proven_account(nodes, state_root, address, what):
    """Storage root and code hash of an account."""
    value = proven_value(nodes, state_root, keccak256(address), what)
    if value is None:
        raise Refusal("account_absent", f"The state of the block has no {what}.")
    fields = decoded(value, what)
    if not isinstance(fields, list) or len(fields) != 4:
        raise malformed(what)
    for field in fields[2:]:
        if not isinstance(field, bytes) or len(field) != 32:
            raise malformed(what)
    return fields[2], fields[3]


def proven_word(nodes, storage_root, slot, what):
    value = proven_value(nodes, storage_root, keccak256(slot), what)
    if value is None:
        return 0
    word = decoded(value, what)
    if not isinstance(word, bytes) or not 0 < len(word) <= 32 or word[0] == 0:
        raise malformed(what)
    return int.from_bytes(word, "big")
