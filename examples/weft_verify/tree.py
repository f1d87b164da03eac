"""The tree of a connector, read from code alone, and its content hashes."""

from .keccak import keccak256
from .refusal import Refusal, quoted

KINDS = {"connector": 0, "transformation": 1, "condition": 2}
INIT = bytes.fromhex("600b380380600b5f395ff3")
MAX_DEPTH = 256
MAX_LEAVES = 4096


def word(value):
    return (value % (1 << 256)).to_bytes(32, "big")


def text(value):
    """The ABI encoding of a string or bytes: length, then bytes padded to whole words."""
    data = value.encode() if isinstance(value, str) else value
    return word(len(data)) + data + bytes(-len(data) % 32)


def numbers(values):
    return word(len(values)) + b"".join(word(value) for value in values)


def sequence(items):
    """The ABI encoding of a list whose items have no fixed size."""
    return word(len(items)) + tuple_of(items)


def tuple_of(parts):
    """The ABI encoding of a tuple: bytes are dynamic parts, integers are words."""
    head, tail = b"", b""
    size = 32 * len(parts)
    for part in parts:
        if isinstance(part, int):
            head += word(part)
        else:
            head += word(size + len(tail))
            tail += part
    return head + tail


def entity_address(registry, kind, name, code):
    salt = keccak256(word(KINDS[kind]) + keccak256(name.encode()))
    return keccak256(b"\xff" + registry + salt + keccak256(INIT + code))[12:]


class Data:
    """Connector data: contracts/README.md has the layout."""

    def __init__(self, code):
        self._code, self._at = code, 0
        if self._take(2) != b"\0\1":
            raise ValueError
        self.leaf_count, self.depth, dimensions = self._number(2), self._number(2), self._number(2)
        self.name = self._take(self._number(1)).decode("latin-1")
        self.condition = None
        if self._flag():
            address = self._take(20)
            signed = [self._number(4) for _ in range(self._number(2))]
            self.condition = address, [n - (1 << 32) if n >> 31 else n for n in signed]
        self.static = [tuple(self._number(4) for _ in range(3)) for _ in range(self._number(2))]
        self.dimensions = [self._dimension() for _ in range(dimensions)]
        if self._at != len(code):
            raise ValueError

    def _dimension(self):
        calls = []
        for _ in range(self._number(2)):
            address = self._take(20)
            calls.append((address, [self._number(4) for _ in range(self._number(2))]))
        if not self._flag():
            return calls, None, []
        composite = self._take(20)
        return calls, composite, [(self._number(2), self._take(20)) for _ in range(self._number(2))]

    def _take(self, size):
        end = self._at + size
        if end > len(self._code):
            raise ValueError
        taken, self._at = self._code[self._at : end], end
        return taken

    def _number(self, size):
        return int.from_bytes(self._take(size), "big")

    def _flag(self):
        flag = self._number(1)
        if flag > 1:
            raise ValueError
        return flag == 1


def ascends(values):
    """What the Runner reads in one pass, and no registry writes in another order."""
    return all(a < b for a, b in zip(values, values[1:]))


def malformed(name):
    return Refusal("tree_data", f"The data of connector {quoted(name)} are not what a registry writes.")


class Tree:
    """Entities by address, the root first; content hashes of all of them."""

    def __init__(self, registry, given):
        self.entities, names = {}, set()
        for kind, name, code in given:
            if (kind, name) in names:
                raise Refusal("tree_twice", f"The file has {kind} {quoted(name)} twice.")
            names.add((kind, name))
            self.entities[entity_address(registry, kind, name, code)] = (kind, name, code)
        if given[0][0] != "connector":
            raise Refusal("tree_root", "The first entity of the file is no connector.")
        self.hashes, self._arguments, self._depth = {}, {}, 0
        self._sizes = {}
        self.root = next(iter(self.entities))
        self.name = given[0][1]
        self._connector(self.root, self.name)
        for address, (kind, name, _) in self.entities.items():
            if address not in self.hashes:
                raise Refusal("tree_superfluous", f"The file has {kind} {quoted(name)}, which {quoted(self.name)} does not use.")

    def _entity(self, address, kind, user):
        if address not in self.entities:
            raise Refusal(
                "tree_missing",
                f"Nothing in the file belongs at 0x{address.hex()}, which {quoted(user)} uses: "
                "the tree is cut short, or code or a name was changed.",
            )
        found, name, code = self.entities[address]
        if found != kind:
            raise Refusal("tree_kind", f"{quoted(user)} uses {found} {quoted(name)} as a {kind}.")
        return name, code

    def _connector(self, address, user):
        name, code = self._entity(address, "connector", user)
        if address in self.hashes:
            return name
        self._depth += 1
        try:
            data = Data(code)
            if self._depth > MAX_DEPTH:
                raise ValueError
        except ValueError:
            raise malformed(name) from None
        if data.name != name:
            raise Refusal("tree_name", f"The data of connector {quoted(name)} hold another name.")
        used = []
        calls = []
        for called, _, _ in data.dimensions:
            calls.append([(self._code(at, "transformation", len(args), name), args) for at, args in called])
            used += [at for at, _ in called]
        composites = [self._connector(at, name) if at else "" for _, at, _ in data.dimensions]
        used += [at for _, at, _ in data.dimensions if at]
        bindings = []
        for _, _, bound in data.dimensions:
            bindings.append([(slot, self._connector(at, name)) for slot, at in bound])
            used += [at for _, at in bound]
        condition, condition_args = "", []
        if data.condition:
            at, condition_args = data.condition
            condition = self._code(at, "condition", len(condition_args), name)
            used.append(at)
        self._depth -= 1
        positions = [position for position, _, _ in data.static]
        if not data.dimensions or not ascends(positions):
            raise malformed(name)
        leaves, depth = 0, 0
        for _, at, bound in data.dimensions:
            inner = [self._sizes[target] for _, target in bound]
            own, below = self._sizes[at] if at else (1, 0)
            slots = [slot for slot, _ in bound]
            if not ascends(slots) or any(slot >= own for slot in slots):
                raise malformed(name)
            leaves += own + sum(count - 1 for count, _ in inner)
            depth = max(depth, below + max([deep for _, deep in inner], default=0))
        if (leaves, 1 + depth) != (data.leaf_count, data.depth) or leaves > MAX_LEAVES or depth >= MAX_DEPTH:
            raise malformed(name)
        self._sizes[address] = leaves, 1 + depth
        dimensions = []
        for i, composite in enumerate(composites):
            called = sequence([tuple_of([text(n), numbers(args)]) for n, args in calls[i]])
            bound = sequence([tuple_of([slot, text(n)]) for slot, n in bindings[i]])
            dimensions.append(tuple_of([called, text(composite), bound]))
        static = word(len(data.static)) + b"".join(word(n) for one in data.static for n in one)
        definition = tuple_of([sequence(dimensions), text(condition), numbers(condition_args), static])
        payload = tuple_of([definition])
        dependencies = word(len(used)) + b"".join(self.hashes[at] for at in used)
        payload_hash = int.from_bytes(keccak256(payload), "big")
        self.hashes[address] = keccak256(tuple_of([0, text(name), payload_hash, dependencies]))
        return name

    def _code(self, address, kind, arguments, user):
        name, code = self._entity(address, kind, user)
        if self._arguments.setdefault(address, arguments) != arguments:
            raise Refusal("tree_arguments", f"{quoted(user)} gives {quoted(name)} another number of arguments than others do.")
        code_hash = int.from_bytes(keccak256(code), "big")
        self.hashes[address] = keccak256(tuple_of([KINDS[kind], text(name), arguments, code_hash]))
        return name


BLOCK = set(range(0x40, 0x47)) | {0x48, 0x4A}
SURROUNDINGS = {0x30, 0x31, 0x32, 0x33, 0x3A, 0x3B, 0x3C, 0x3F, 0x47, 0x49, 0x54, 0x5A, 0xF1, 0xF2, 0xF4, 0xFA}
READS = BLOCK | SURROUNDINGS
ENDS = {0x00, 0x56, 0xF3, 0xFD, 0xFE, 0xFF}
DEFINED = (
    set(range(0x0C)) | set(range(0x10, 0x1F)) | {0x20} | set(range(0x30, 0x4B)) | set(range(0x50, 0xA5))
    | set(range(0xF0, 0xF6)) | {0xFA, 0xFD, 0xFE, 0xFF}
)  # fmt: skip


def reads_more(code):
    """Whether code reads more than its input: by any instruction that a jump could lead to."""
    pc, runs = 0, True
    while pc < len(code):
        op = code[pc]
        pc += 1 + (op - 0x5F if 0x60 <= op <= 0x7F else 0)
        runs = runs or op == 0x5B
        if runs and op in READS:
            return True
        if op not in DEFINED or op in ENDS:
            runs = False
    return False
