"""Keccak-256 as Ethereum uses it: the padding byte is 01, not that of SHA-3."""

from functools import lru_cache

MASK = (1 << 64) - 1
RATE = 136


def _round_constants():
    constants, register = [], 1
    for _ in range(24):
        constant = 0
        for j in range(7):
            if register & 1:
                constant ^= 1 << ((1 << j) - 1)
            register = (register << 1) ^ (0x171 if register & 0x80 else 0)
        constants.append(constant)
    return constants


def _steps():
    """Source lane, rotation and target lane of the combined rho and pi steps."""
    steps, (x, y) = [(0, 0, 0)], (1, 0)
    for t in range(24):
        target = (y, (2 * x + 3 * y) % 5)
        steps.append((x + 5 * y, ((t + 1) * (t + 2) // 2) % 64, target[0] + 5 * target[1]))
        x, y = target
    return steps


CONSTANTS = _round_constants()
STEPS = _steps()


def _permute(a):
    b = [0] * 25
    for constant in CONSTANTS:
        c = [a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20] for x in range(5)]
        d = [c[(x + 4) % 5] ^ ((c[(x + 1) % 5] << 1 | c[(x + 1) % 5] >> 63) & MASK) for x in range(5)]
        for source, turn, target in STEPS:
            lane = a[source] ^ d[source % 5]
            b[target] = (lane << turn | lane >> (64 - turn)) & MASK
        for y in range(0, 25, 5):
            b0, b1, b2, b3, b4 = b[y : y + 5]
            a[y] = b0 ^ (~b1 & b2)
            a[y + 1] = b1 ^ (~b2 & b3)
            a[y + 2] = b2 ^ (~b3 & b4)
            a[y + 3] = b3 ^ (~b4 & b0)
            a[y + 4] = b4 ^ (~b0 & b1)
        a[0] ^= constant


@lru_cache(maxsize=4096)
def keccak256(data):
    padded = bytearray(data)
    padded.append(1)
    padded.extend(bytes(-len(padded) % RATE))
    padded[-1] |= 0x80
    lanes = [0] * 25
    for start in range(0, len(padded), RATE):
        for i in range(RATE // 8):
            lanes[i] ^= int.from_bytes(padded[start + 8 * i : start + 8 * i + 8], "little")
        _permute(lanes)
    return b"".join((lane & MASK).to_bytes(8, "little") for lane in lanes[:4])
