/** A typical body, with arguments for it. */
export interface PlausibleBody {
  readonly title: string
  readonly body: string
  readonly args: readonly number[]
}

function body(title: string, text: string, args: readonly number[] = []): PlausibleBody {
  return {
    title,
    body: text,
    args,
  }
}

export const PLAUSIBLE_BODIES: readonly PlausibleBody[] = [
  body('add an argument', 'return x + args[0];', [7]),
  body('subtract an argument', 'return x - args[0];', [100]),
  body('multiply, checked', 'return x * args[0];', [3]),
  body('square, checked', 'return x * x;'),
  body('scale and shift', 'return (x * args[0]) / args[1] + args[2];', [3, 4, 60]),
  body('linear congruence', 'return uint32((uint256(x) * 1103515245 + 12345) % 2147483648);'),
  body('linear congruence, unchecked', 'unchecked { return x * 1664525 + 1013904223; }'),
  body('Lehmer generator', 'return uint32((uint64(x) * 48271) % 2147483647);'),
  body('xorshift', 'x ^= x << 13; x ^= x >> 17; x ^= x << 5; return x;'),
  body('parity branch', 'if (x % 2 == 0) return x / 2; return x + 1;'),
  body('halve what is large', 'if (x > 100) return x / 2; return x;'),
  body('nothing', 'return x;'),
  body('a constant', 'return 5;'),
  body('clamp', 'if (x < args[0]) return args[0]; if (x > args[1]) return args[1]; return x;', [48, 72]),
  body('wrap around an octave', 'return args[0] + (x - args[0] + args[1]) % 12;', [60, 7]),
  body(
    'eight checked rounds',
    'for (uint256 i = 0; i < 8; i++) { x = (x * 3 + uint32(i)) % 1000003; } return x;',
  ),
  body(
    'scale in a memory table',
    'uint8[7] memory scale = [0, 2, 4, 5, 7, 9, 11]; return (x / 7) * 12 + scale[x % 7];',
  ),
  body(
    'scale of sixteen in a memory table',
    'uint8[16] memory s = [0, 2, 4, 5, 7, 9, 11, 12, 14, 16, 17, 19, 21, 23, 24, 26]; return 60 + s[x % 16];',
  ),
  body(
    'scale in a packed constant',
    'return uint32((0x0b0907050402000 >> (8 * (x % 7))) & 0xff) + 12 * (x / 7);',
  ),
  body(
    'rhythm in bytes',
    'bytes memory beat = hex"0100010100010001"; return uint32(uint8(beat[x % 8])) + x;',
  ),
  body('melody of arguments', 'return args[x % args.length];', [60, 62, 64, 65, 67, 69, 71, 72]),
  body(
    'sum of the arguments',
    'uint32 sum; for (uint256 i; i < args.length; i++) sum += args[i]; return x + sum;',
    [1, 2, 3, 4, 5],
  ),
  body(
    'greatest common divisor',
    'uint32 b = args[0]; while (b != 0) { (x, b) = (b, x % b); } return x;',
    [360],
  ),
  body(
    'population count by branch',
    'uint32 c; for (uint256 i; i < 32; i++) { if ((x >> i) & 1 == 1) c++; } return c;',
  ),
  body('population count by loop', 'uint32 c; while (x != 0) { x &= x - 1; c++; } return c;'),
  body(
    'square root',
    'uint256 y = x; if (y < 2) return x; uint256 z = y / 2 + 1; while (z < y) { y = z; z = (x / z + z) / 2; } return uint32(y);',
  ),
  body('keccak of the number', 'return uint32(uint256(keccak256(abi.encode(x))));'),
  body(
    'keccak of packed numbers',
    'return uint32(uint256(keccak256(abi.encodePacked(x, args[0]))) % 128);',
    [42],
  ),
  body('mulmod in assembly', 'assembly { x := mulmod(x, 48271, 2147483647) } return x;'),
  body('signed distance', 'int256 d = int256(uint256(x)) - 100; return uint32(uint256(d < 0 ? -d : d));'),
  body('signed division', 'int32 s = int32(x) / 3; return uint32(s);'),
  body('cube, modulo', 'return uint32((uint256(x) ** 3) % 1000);'),
  body('power of two', 'return uint32(2 ** (x % 32));'),
  body('power of an argument', 'return uint32(uint256(args[0]) ** (x % 8));', [5]),
  body(
    'steps of Collatz',
    'uint256 n = uint256(x) + 1; uint32 c; while (n != 1 && c < 1000) { n = n % 2 == 0 ? n / 2 : 3 * n + 1; c++; } return c;',
  ),
  body('triangle wave', 'uint32 p = x % (2 * args[0]); return p < args[0] ? p : 2 * args[0] - p;', [24]),
  body(
    'Fibonacci',
    'uint32 a = 0; uint32 b = 1; for (uint32 i; i < x % 40; i++) { (a, b) = (b, a + b); } return a;',
  ),
  body(
    'reverse the bits',
    'uint32 r; for (uint256 i; i < 32; i++) { r = (r << 1) | (x & 1); x >>= 1; } return r;',
  ),
  body('bit rotation', 'return (x << args[0]) | (x >> (32 - args[0]));', [7]),
  body(
    'average of two tables',
    'uint8[4] memory a = [10, 20, 30, 40]; uint8[4] memory b = [7, 5, 3, 1]; return (a[x % 4] + b[(x / 4) % 4]) / 2;',
  ),
  body('digit sum', 'uint32 s; while (x > 0) { s += x % 10; x /= 10; } return s;'),
  body('require', 'require(x < args[0], "too large"); return x + 1;', [1000]),
  body(
    'primality by trial',
    'if (x < 2) return 0; for (uint256 d = 2; d * d <= x; d++) { if (x % d == 0) return 0; } return 1;',
  ),
]

/** Bodies that read what differs between calls, or between the steps of one call. */
export const BODIES_THAT_LOOK_AROUND: readonly PlausibleBody[] = [
  body('the block', 'return x + uint32(block.number);'),
  body('its own address', 'return x + uint32(uint160(address(this)));'),
  body('gas', 'return x + uint32(gasleft());'),
  body('the selector', 'return msg.sig == 0x9e26c033 ? x : x + 1;'),
  body('the selector of cycle', 'return msg.sig == 0x47ad3e03 ? x : x + 1;', [3]),
  body('the first x of the call', 'assembly { x := add(1, calldataload(4)) } return x;'),
  body('the first x beside the current', 'uint32 y; assembly { y := calldataload(4) } return x ^ y;'),
  body('the size of the call', 'return x + uint32(msg.data.length);'),
  body('where its arguments lie', 'assembly { x := args.offset } return x;', [1]),
  body(
    'what stands before its arguments',
    'assembly { x := calldataload(sub(args.offset, 0x20)) } return x;',
    [1],
  ),
  body(
    'what stands behind its arguments',
    'assembly { x := calldataload(add(args.offset, 0x20)) } return x;',
    [1],
  ),
  body('where memory is free', 'assembly { x := mload(0x40) } return x;'),
  body('bits of where memory is free', 'assembly { x := and(mload(0x40), 0x1f) } return x;'),
  body(
    'memory that an earlier step left behind',
    'assembly { let p := mload(0x40) x := add(x, mload(p)) mstore(p, x) } return x;',
  ),
  body('values of earlier steps', 'assembly { x := add(x, mload(sub(mload(0x40), 0x20))) } return x;'),
  body('the zero slot', 'assembly { x := add(x, mload(0x60)) mstore(0x60, 5) } return x;'),
  body('ends the whole call', 'assembly { mstore(0, 5) return(0, 0x20) } return x;'),
  body('storage', 'assembly { x := add(x, sload(0)) } return x;'),
  body(
    'the count of steps, beyond what a few calls show',
    'assembly { if eq(shr(224, calldataload(0)), 0xf4d649f7) { if gt(calldataload(0x44), 9) { x := add(x, 1000) } } } return x + 1;',
  ),
  body(
    'the first list of cycle',
    'assembly { if eq(shr(224, calldataload(0)), 0x47ad3e03) { if gt(calldataload(0x84), 4) { x := add(x, 1000) } } } return x + args[0];',
    [1],
  ),
  body(
    'how many lists cycle has',
    'assembly { if gt(calldataload(0xa4), 7) { if eq(shr(224, calldataload(0)), 0x47ad3e03) { x := xor(x, 1) } } } return x + args[0];',
    [1],
  ),
  body(
    'where values go, far above the free memory',
    'assembly { if gt(mload(0x40), 0x800) { x := add(x, 1) } } return x;',
  ),
]

/** Titles of those that need more than 53 bits of a number somewhere. */
const WIDE: ReadonlySet<string> = new Set([
  ...[
    'keccak of the number',
    'keccak of packed numbers',
    'signed distance',
    'signed division',
    'cube, modulo',
  ],
  ...['power of two', 'steps of Collatz'],
])
/** Helpers that take and give plain numbers. */
const PLAIN = new Set(['h.imul', 'h.floor', 'h.exceeded'])
/** Characters of all of them together, as they are specialised. */
export const MOST_CHARACTERS = 15_600

/** Helpers of 256 bits that a specialised body has no need of: each costs it most of its speed. */
export function needlessHelpers(title: string, source: string): string[] {
  if (WIDE.has(title)) return []
  return (source.match(/\bh\.\w+/g) ?? []).filter((name) => !PLAIN.has(name))
}
