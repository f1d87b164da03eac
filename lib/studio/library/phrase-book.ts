import type { Hash } from '#lib/protocol/entity.ts'

/** An argument of a phrase, with what it is at first and the range of its knob. */
export interface PhraseArgument {
  readonly name: string
  readonly value: number
  readonly min: number
  readonly max: number
}

/** A transformation in plain words. The example network publishes all of them. */
export interface Phrase {
  readonly name: string
  readonly sentence: string
  readonly args: readonly PhraseArgument[]
  /** Other words that it is found by. */
  readonly synonyms: string
  /** The body of its Solidity function. */
  readonly source: string
  /** Hash of its artifact: a name that holds other code on a network is not this phrase. */
  readonly contentHash: Hash
}

export const PHRASE_BOOK: readonly Phrase[] = [
  {
    name: 'add',
    sentence: 'Goes up by the same amount each time.',
    args: [argument('step', 1, 0, 24)],
    synonyms: 'plus sum increase rise step lift',
    source: 'return x + args[0];',
    contentHash: '0x16b6532d41162e98590b7baf4004040f3911a2201059f989da1012e34e95049c',
  },
  {
    name: 'subtract',
    sentence: 'Goes down by the same amount; the run stops below 0.',
    args: [argument('step', 1, 0, 24)],
    synonyms: 'minus decrease fall down take away',
    source: 'return x - args[0];',
    contentHash: '0xe98897e3696116ae49c09e02ab3348d5daedc29f97b372ba62bbbcc264d6c2fa',
  },
  {
    name: 'multiply',
    sentence: 'Grows by a factor; the run stops above 4,294,967,295.',
    args: [argument('by', 2, 0, 8)],
    synonyms: 'times product scale double grow exponential',
    source: 'return x * args[0];',
    contentHash: '0x85fa5af5d7356b9ed770329cde2653636ee8cdca072dea0bf59c03ea3045a494',
  },
  {
    name: 'divide',
    sentence: 'Takes a share of the number, rounded down.',
    args: [argument('by', 2, 1, 16)],
    synonyms: 'half halve quotient shrink decay',
    source: 'return args[0] == 0 ? x : x / args[0];',
    contentHash: '0xa1d844a829d632b765adb2119b79e1a5357a0ec267c5cfab1bd242f088bb43d3',
  },
  {
    name: 'cycle',
    sentence: 'Steps around a ring and begins again at 0.',
    args: [argument('step', 3, 0, 24), argument('places', 16, 1, 64)],
    synonyms: 'wrap modulo remainder ring loop around repeat climb clock',
    source: 'return uint32((uint256(x) + args[0]) % args[1]);',
    contentHash: '0x1eb19f593320b7015387e28960bf8e2e066c18f69f4dcac21da5c02100891e5b',
  },
  {
    name: 'count_to',
    sentence: 'Counts up one by one, then begins again at 0.',
    args: [argument('top', 7, 1, 64)],
    synonyms: 'counter sequence metronome wrap ramp saw',
    source: 'return x >= args[0] ? 0 : x + 1;',
    contentHash: '0x0843f411a7dd13a836625ab3cc4a871db03153ed53c825d7ee47dc81bc561987',
  },
  {
    name: 'set_to',
    sentence: 'Is this number at its turn: one step of a pattern.',
    args: [argument('value', 1, 0, 16)],
    synonyms: 'constant fixed hit pattern rest note drum replace',
    source: 'return args[0];',
    contentHash: '0xf5e8053605cac3104cb3123b9bd363e63265c0a84f3759e70674fb955cf7e606',
  },
  {
    name: 'stay',
    sentence: 'Keeps the number as it is for one step.',
    args: [],
    synonyms: 'hold keep pause same rest identity sustain',
    source: 'return x;',
    contentHash: '0xe119b90b3d1f039dafb3bb501b1ab831fce2ed833ea50536b8dbf8a46dc74c82',
  },
  {
    name: 'switch_between',
    sentence: 'Goes back and forth between two numbers.',
    args: [argument('one', 0, 0, 24), argument('other', 7, 0, 24)],
    synonyms: 'toggle alternate on off flip flop',
    source: 'return x == args[0] ? args[1] : args[0];',
    contentHash: '0xf068573d721753db13df2aea323406dfd3e7607102e2aa4132451688cf37a379',
  },
  {
    name: 'keep_between',
    sentence: 'Cuts off what is below the low or above the high number.',
    args: [argument('low', 0, 0, 24), argument('high', 24, 0, 64)],
    synonyms: 'clamp limit bound clip range',
    source: 'if (x < args[0]) return args[0];\nreturn x > args[1] ? args[1] : x;',
    contentHash: '0xaf926042ca85ff127055029eab960fb7db9e7440a68a3c3c68afdc220b79e4bc',
  },
  {
    name: 'bounce_between',
    sentence: 'Walks up to the high number, turns, and comes down again.',
    args: [argument('step', 1, 0, 8), argument('low', 0, 0, 24), argument('high', 24, 1, 64)],
    synonyms: 'bounce ping pong zigzag triangle wave turn reflect back and forth',
    source: `// Even places above the low number lead up, odd ones down.
uint256 low = args[1];
uint256 top = args[2] > low ? args[2] - low : 0;
uint256 place = x > low ? x - low : 0;
uint256 far = uint256(args[0]) * 2;
if (place % 2 == 1) place = place > far ? place - far : 0;
else if (place + far <= top) place += far;
else place = top == 0 ? 0 : top - (top + 1) % 2;
return uint32(low + place);`,
    contentHash: '0x8f675dd5c95d0e912951f0e6cb7274cd35ea4538bcb0796e4be352dd31317bfd',
  },
  {
    name: 'mirror_between',
    sentence: 'Turns a number upside down between two others.',
    args: [argument('low', 0, 0, 24), argument('high', 24, 0, 64)],
    synonyms: 'mirror invert reflect flip upside down inversion opposite',
    source: `uint256 low = args[0];
uint256 high = args[1] > low ? args[1] : low;
uint256 place = x < low ? low : x > high ? high : x;
return uint32(low + high - place);`,
    contentHash: '0x3d9d7ba100f514262509e04fd40a2862c315d431668450943923e1014ec39f9e',
  },
  {
    name: 'approach',
    sentence: 'Comes closer to a number, by a part of what is left each time.',
    args: [argument('target', 24, 0, 64), argument('part', 4, 1, 16)],
    synonyms: 'ease glide slide lerp towards smooth portamento',
    source: `uint32 part = args[1] == 0 ? 1 : args[1];
if (x == args[0]) return x;
uint32 far = (x < args[0] ? args[0] - x : x - args[0]) / part;
if (far == 0) far = 1;
return x < args[0] ? x + far : x - far;`,
    contentHash: '0x75671fb78021d4cac1b7d692935385a0a5d69431886a1e02571e53caac224c29',
  },
  {
    name: 'round_to',
    sentence: 'Rounds down to a multiple: puts numbers on a grid.',
    args: [argument('multiple', 4, 1, 16)],
    synonyms: 'quantise quantize snap grid floor step',
    source: 'return args[0] == 0 ? x : x - x % args[0];',
    contentHash: '0xf8e28487632a2ee281302eca2f9ee52c9796f45eeddfefd37c6f19929131e93c',
  },
  {
    name: 'flip',
    sentence: 'Flips bits on and off: doing it twice is back.',
    args: [argument('bits', 5, 0, 63)],
    synonyms: 'xor bit toggle invert exclusive or',
    source: 'return x ^ args[0];',
    contentHash: '0x791e7df08647c6ad793c2d05ae931cb098cfc7b15712739a07be1fa734c92440',
  },
  {
    name: 'drift',
    sentence: 'Jumps about below a number, the same way every time.',
    args: [argument('factor', 5, 1, 64), argument('plus', 17, 0, 64), argument('below', 97, 2, 128)],
    synonyms: 'random scatter jump chaos dice pseudo congruential',
    source: 'return uint32((uint256(x) * args[0] + args[1]) % args[2]);',
    contentHash: '0xa5fe9a5038a04bbe9dd18b4d9c69b9757e53439f89a719b5fd175f0655fe69cd',
  },
  {
    name: 'noise',
    sentence: 'Is anywhere from 0 to 4,294,967,295, and comes to each once.',
    args: [argument('seed', 1, 0, 99)],
    synonyms: 'random white chaos dice hash scatter',
    source: 'unchecked { return x * 1664525 + args[0] * 2 + 1; }',
    contentHash: '0xdd195df6dbca00130d0622c1c754fb1b12d2fa1e76ee3055793d404130b065a5',
  },
  {
    name: 'random_walk',
    sentence: 'Wanders up and down by chance; its place is the upper half of the number.',
    args: [argument('stride', 2, 1, 12), argument('top', 24, 1, 64)],
    synonyms: 'wander drunk brownian chance drift random melody',
    source: `// The upper 16 bits are the place, the lower 16 what chance makes the next step of.
uint32 chance = ((x & 0xffff) * 25173 + 13849) & 0xffff;
uint256 top = args[1] > 65535 ? 65535 : args[1];
uint256 place = x >> 16;
uint256 far = (chance >> 8) % (uint256(args[0]) + 1);
if ((chance & 128) == 0) place = place + far > top ? top : place + far;
else place = place > far ? place - far : 0;
return uint32((place << 16) | chance);`,
    contentHash: '0x592efb8dacaf7515cc05f93d26434a1b9dd8a909d645b960ca824a925e0b18ee',
  },
  {
    name: 'euclid_beat',
    sentence: 'Spreads hits evenly over steps; large numbers are the hits.',
    args: [argument('hits', 5, 1, 16), argument('steps', 16, 1, 32)],
    synonyms: 'euclidean rhythm drum pulse pattern tresillo hit',
    source: `uint256 steps = args[1] == 0 ? 1 : args[1];
uint256 place = (uint256(x) + args[0]) % steps;
return uint32(place < args[0] ? place + 2 * steps : place);`,
    contentHash: '0x338b9fee392749d5b2018741c41d152e6758c6df168e2b4678d906cdb9a38c63',
  },
  {
    name: 'arpeggio',
    sentence: 'Plays a chord note by note: low, third, fifth, octave, and again.',
    args: [argument('low', 60, 24, 84), argument('third', 4, 1, 6), argument('fifth', 7, 5, 9)],
    synonyms: 'chord broken triad major minor notes',
    source: `if (x < args[0]) return args[0];
uint32 place = x - args[0];
if (place < args[1]) return args[0] + args[1];
if (place < args[2]) return args[0] + args[2];
return place < 12 ? args[0] + 12 : args[0];`,
    contentHash: '0x2b9c045c348947c68b1fd539a0d84f6668d7caa2d198b864a6ee08d6a9f1f7d5',
  },
  {
    name: 'scale_up',
    sentence: 'Climbs the major scale; past the high note it begins again at the low one.',
    args: [
      argument('root', 0, 0, 11),
      argument('low', 60, 24, 84),
      argument('high', 84, 36, 108),
      argument('notes', 1, 1, 12),
    ],
    synonyms: 'major scale melody ladder key notes climb octave',
    source: `for (uint32 i = 0; i < args[3]; i++) {
    uint32 degree = (x + 12 - args[0] % 12) % 12;
    x += degree == 4 || degree == 11 ? 1 : 2;
}
return x > args[2] ? args[1] : x;`,
    contentHash: '0x2fbf2e64cdddc22c0206f731f9e825366abedb10a6eea41e37f6330cd3e9472b',
  },
  {
    name: 'to_major',
    sentence: 'Moves up to the next note of a major scale, if it is not on one.',
    args: [argument('root', 0, 0, 11)],
    synonyms: 'scale snap quantise quantize key tune diatonic',
    source: `uint256 degree = (uint256(x) + 12 - args[0] % 12) % 12;
bool between = degree == 1 || degree == 3 || degree == 6 || degree == 8 || degree == 10;
return between ? x + 1 : x;`,
    contentHash: '0x024defc8a82c1d4d2b8107d13eb8c940a0646eb18965f9ea45b64d5106e66187',
  },
  {
    name: 'to_pentatonic',
    sentence: 'Moves up to the next of the five notes that always sound well together.',
    args: [argument('root', 0, 0, 11)],
    synonyms: 'scale snap quantise quantize key tune five notes',
    source: `uint256 degree = (uint256(x) + 12 - args[0] % 12) % 12;
if (degree == 5 || degree == 10) return x + 2;
bool between = degree == 1 || degree == 3 || degree == 6 || degree == 8 || degree == 11;
return between ? x + 1 : x;`,
    contentHash: '0x92c66dd2ae24182a6b0bfe657c537b518022e7df6ec2869d58f1988005f3c08b',
  },
  {
    name: 'to_octave',
    sentence: 'Brings a note into the octave above a low one.',
    args: [argument('low', 60, 24, 84)],
    synonyms: 'scale fold wrap transpose range twelve notes',
    source: `if (x >= args[0]) return args[0] + (x - args[0]) % 12;
return args[0] + (12 - (args[0] - x) % 12) % 12;`,
    contentHash: '0x7138a2d01ef67a0528ebadc6f9f8268a1b236e4032d647d35024395cac37d3b4',
  },
]

function argument(name: string, value: number, min: number, max: number): PhraseArgument {
  return { name, value, min, max }
}

const byName = new Map(PHRASE_BOOK.map((phrase) => [phrase.name, phrase]))

/** The phrase of a name; undefined for any other name. */
export function phraseOf(name: string): Phrase | undefined {
  return byName.get(name)
}
