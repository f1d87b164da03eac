"""A small EVM for static calls of the Runner and of published code: every opcode they may use, without gas."""

from .keccak import keccak256

MASK = (1 << 256) - 1
SIGN = 1 << 255
MAX_MEMORY = 1 << 25
MAX_STACK = 1024


class NotComputable(Exception):
    """The call depends on what is not known here, or takes more steps than are allowed."""


class Halt(Exception):
    """The call fails without data."""


class TooMuchMemory(Halt):
    """No block pays for it."""


def signed(word):
    return word - (1 << 256) if word & SIGN else word


def _divide(a, b):
    a, b = signed(a), signed(b)
    return 0 if b == 0 else (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)


def _modulo(a, b):
    a, b = signed(a), signed(b)
    return 0 if b == 0 else (abs(a) % abs(b)) * (-1 if a < 0 else 1)


def _extend(size, word):
    if size > 30:
        return word
    bits = 8 * size + 8
    word &= (1 << bits) - 1
    return word - (1 << bits) if word >> (bits - 1) else word


# Opcode: number of words taken, and the word they give before it is cut to 256 bits.
ARITHMETIC = {
    0x01: (2, lambda a, b: a + b),
    0x02: (2, lambda a, b: a * b),
    0x03: (2, lambda a, b: a - b),
    0x04: (2, lambda a, b: a // b if b else 0),
    0x05: (2, _divide),
    0x06: (2, lambda a, b: a % b if b else 0),
    0x07: (2, _modulo),
    0x08: (3, lambda a, b, m: (a + b) % m if m else 0),
    0x09: (3, lambda a, b, m: (a * b) % m if m else 0),
    0x0A: (2, lambda a, b: pow(a, b, 1 << 256)),
    0x0B: (2, _extend),
    0x10: (2, lambda a, b: int(a < b)),
    0x11: (2, lambda a, b: int(a > b)),
    0x12: (2, lambda a, b: int(signed(a) < signed(b))),
    0x13: (2, lambda a, b: int(signed(a) > signed(b))),
    0x14: (2, lambda a, b: int(a == b)),
    0x15: (1, lambda a: int(a == 0)),
    0x16: (2, lambda a, b: a & b),
    0x17: (2, lambda a, b: a | b),
    0x18: (2, lambda a, b: a ^ b),
    0x19: (1, lambda a: ~a),
    0x1A: (2, lambda i, w: (w >> (248 - 8 * i)) & 255 if i < 32 else 0),
    0x1B: (2, lambda s, w: w << s if s < 256 else 0),
    0x1C: (2, lambda s, w: w >> s if s < 256 else 0),
    0x1D: (2, lambda s, w: signed(w) >> min(s, 256)),
    0x1E: (1, lambda w: 256 - w.bit_length()),
}

# What takes and gives how many words, beside the above, pushes, copies and swaps.
STACK = {
    0x00: (0, 0), 0x20: (2, 1), 0x30: (0, 1), 0x31: (1, 1), 0x32: (0, 1), 0x33: (0, 1), 0x34: (0, 1), 0x35: (1, 1),
    0x36: (0, 1), 0x37: (3, 0), 0x38: (0, 1), 0x39: (3, 0), 0x3A: (0, 1), 0x3B: (1, 1), 0x3C: (4, 0), 0x3D: (0, 1),
    0x3E: (3, 0), 0x3F: (1, 1), 0x40: (1, 1), 0x41: (0, 1), 0x42: (0, 1), 0x43: (0, 1), 0x44: (0, 1), 0x45: (0, 1),
    0x46: (0, 1), 0x47: (0, 1), 0x48: (0, 1), 0x49: (1, 1), 0x4A: (0, 1), 0x50: (1, 0), 0x51: (1, 1), 0x52: (2, 0),
    0x53: (2, 0), 0x54: (1, 1), 0x55: (2, 0), 0x56: (1, 0), 0x57: (2, 0), 0x58: (0, 1), 0x59: (0, 1), 0x5A: (0, 1),
    0x5B: (0, 0), 0x5C: (1, 1), 0x5D: (2, 0), 0x5E: (3, 0), 0xA0: (2, 0), 0xA1: (3, 0), 0xA2: (4, 0), 0xA3: (5, 0),
    0xA4: (6, 0), 0xF0: (3, 1), 0xF1: (7, 1), 0xF2: (7, 1), 0xF3: (2, 0), 0xF4: (6, 1), 0xF5: (4, 1), 0xFA: (6, 1),
    0xFD: (2, 0), 0xFE: (0, 0), 0xFF: (1, 0),
}  # fmt: skip
# A static call may not do these, and INVALID does nothing else.
FAILS = {0x55, 0x5D, 0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xF0, 0xF5, 0xFE, 0xFF}


class Evm:
    """Code at addresses; one of them, the Runner, may read and call the others."""

    def __init__(self, codes, runner, steps):
        self.codes = codes
        self.runner = runner
        self.steps = steps
        self._destinations = {}

    def call(self, to, data, depth=0):
        """Returns whether the call succeeds, and what it returns or reverts with."""
        try:
            return self._run(to, data, depth)
        except Halt as halt:
            if to == self.runner and isinstance(halt, TooMuchMemory):
                raise NotComputable("it needs more memory than this check has") from None
            return False, b""

    def destinations(self, code):
        known = self._destinations.get(code)
        if known is None:
            known, pc = set(), 0
            while pc < len(code):
                if code[pc] == 0x5B:
                    known.add(pc)
                pc += code[pc] - 0x5E if 0x60 <= code[pc] <= 0x7F else 1
            self._destinations[code] = known
        return known

    def _run(self, to, data, depth):
        code = self.codes.get(to, b"")
        privileged = to == self.runner
        destinations = self.destinations(code)
        stack, memory, returned, pc = [], Memory(), b"", 0
        pop = stack.pop
        while True:
            self.steps -= 1
            if self.steps < 0:
                raise NotComputable("it takes more steps than this check makes")
            op = code[pc] if pc < len(code) else 0
            pc += 1
            if 0x5F <= op <= 0x7F:
                size = op - 0x5F
                stack.append(int.from_bytes(code[pc : pc + size].ljust(size, b"\0"), "big"))
                pc += size
            elif 0x80 <= op <= 0x8F:
                if len(stack) < op - 0x7F:
                    raise Halt
                stack.append(stack[0x7F - op])
            elif 0x90 <= op <= 0x9F:
                if len(stack) < op - 0x8E:
                    raise Halt
                stack[-1], stack[0x8E - op] = stack[0x8E - op], stack[-1]
            elif op in ARITHMETIC:
                takes, compute = ARITHMETIC[op]
                if len(stack) < takes:
                    raise Halt
                if takes == 2:
                    stack.append(compute(pop(), pop()) & MASK)
                elif takes == 1:
                    stack.append(compute(pop()) & MASK)
                else:
                    stack.append(compute(pop(), pop(), pop()) & MASK)
            else:
                if op not in STACK or len(stack) < STACK[op][0]:
                    raise Halt
                if len(stack) - STACK[op][0] + STACK[op][1] > MAX_STACK:
                    raise Halt
                if op == 0x00:
                    return True, b""
                if op in (0xF3, 0xFD):
                    return op == 0xF3, memory.read(pop(), pop())
                if op in (0x56, 0x57):
                    target = pop()
                    if op == 0x56 or pop():
                        if target not in destinations:
                            raise Halt
                        pc = target + 1
                elif op == 0xFA:
                    returned = self._static_call(stack, memory, privileged, depth)
                elif op == 0x3E:
                    if stack[-2] + stack[-3] > len(returned):
                        raise Halt
                    memory.copy(returned, pop(), pop(), pop())
                elif op == 0x3D:
                    stack.append(len(returned))
                elif op == 0x58:
                    stack.append(pc - 1)
                else:
                    self._simple(op, code, data, stack, memory, privileged)
            if len(stack) > MAX_STACK:
                raise Halt

    def _static_call(self, stack, memory, privileged, depth):
        _, target, at, size, out_at, out_size = (stack.pop() for _ in range(6))
        data = memory.read(at, size)
        memory.read(out_at, out_size)
        target &= (1 << 160) - 1
        if not privileged:
            raise NotComputable("it calls another contract")
        if depth > 8:
            raise NotComputable("its calls nest too deep")
        # The Runner copies memory by the identity.
        ok, output = (True, data) if target == 4 else self.call(target.to_bytes(20, "big"), data, depth + 1)
        memory.write(out_at, output[:out_size])
        stack.append(int(ok))
        return output

    def _simple(self, op, code, data, stack, memory, privileged):
        pop = stack.pop
        if op in FAILS:
            raise Halt
        if op == 0x20:
            stack.append(int.from_bytes(keccak256(memory.read(pop(), pop())), "big"))
        elif op == 0x34:
            stack.append(0)
        elif op == 0x35:
            at = pop()
            stack.append(int.from_bytes(data[at : at + 32].ljust(32, b"\0"), "big"))
        elif op == 0x36:
            stack.append(len(data))
        elif op == 0x37:
            memory.copy(data, pop(), pop(), pop())
        elif op == 0x38:
            stack.append(len(code))
        elif op == 0x39:
            memory.copy(code, pop(), pop(), pop())
        elif op in (0x3B, 0x3C) and privileged:
            found = self.codes.get((pop() & ((1 << 160) - 1)).to_bytes(20, "big"), b"")
            if op == 0x3B:
                stack.append(len(found))
            else:
                memory.copy(found, pop(), pop(), pop())
        elif op == 0x50:
            pop()
        elif op == 0x51:
            stack.append(int.from_bytes(memory.read(pop(), 32), "big"))
        elif op == 0x52:
            memory.write(pop(), pop().to_bytes(32, "big"))
        elif op == 0x53:
            memory.write(pop(), bytes([pop() & 255]))
        elif op == 0x5C:
            # Nothing can have written it before.
            stack[-1] = 0
        elif op == 0x59:
            stack.append(memory.size)
        elif op == 0x5A:
            stack.append(1 << 40)
        elif op == 0x5E:
            to, at, size = pop(), pop(), pop()
            memory.write(to, memory.read(at, size))
        elif op != 0x5B:
            raise NotComputable(f"it uses opcode 0x{op:02x}")


class Memory:
    """Bytes that grow by whole words."""

    def __init__(self):
        self._bytes = bytearray()
        self.size = 0

    def _grow(self, at, size):
        if size and at + size > MAX_MEMORY:
            raise TooMuchMemory
        if size and at + size > self.size:
            self.size = (at + size + 31) // 32 * 32
            self._bytes.extend(bytes(self.size - len(self._bytes)))

    def read(self, at, size):
        self._grow(at, size)
        return bytes(self._bytes[at : at + size]) if size else b""

    def write(self, at, data):
        self._grow(at, len(data))
        if data:
            self._bytes[at : at + len(data)] = data

    def copy(self, source, to, start, size):
        self._grow(to, size)
        if size:
            self._bytes[to : to + size] = source[start : start + size].ljust(size, b"\0")
