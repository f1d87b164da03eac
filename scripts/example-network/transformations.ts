/*
 * Small ideas that pieces are made of, beside those of the phrase book. A number of a sequence knows only the one before
 * it; where an idea needs a count as well, a number is `count * places + value`, and a table of so many places below it
 * reads the value: the row of a table that an index stands for is its remainder. Where values are places on a paper the
 * count is below them instead, too small to be seen: `value * counts + count` needs no table.
 */

interface ExampleTransformation {
  readonly name: string
  readonly description: string
  readonly source: string
}

export const exampleTransformations: readonly ExampleTransformation[] = [
  {
    name: 'one_step_further',
    description:
      'Rows of sixteen: 0, then 0 1, then 0 1 2, each phrase one step further, up to the longest. For a table of 16.',
    source: `uint32 longest = args[0];
uint32 phrase = x / 16;
if (x % 16 < phrase) return x + 1;
return phrase < longest && phrase < 15 ? (phrase + 1) * 16 : 0;`,
  },
  {
    name: 'plain_hunt',
    description:
      'Bells in the order of a plain hunt: each row, neighbours change places. Counts in eights, for a table of 8.',
    source: `uint256 bells = args[0] < 2 ? 2 : args[0] > 8 ? 8 : args[0];
uint256 n = x / 8 + 1;
uint256 turn = 2 * bells;
// Bells go around a ring that is folded into a row: one that comes from an even place hunts out, the others in.
uint256 from = (n % bells + turn - (n / bells) % turn) % turn;
if (from % 2 == 1) from = (2 * turn - 1 - n % bells - (n / bells) % turn) % turn;
return uint32(8 * n + (from < bells ? from : turn - 1 - from));`,
  },
  {
    name: 'infinity_series',
    description:
      'Per Nørgård’s infinity series, 16 for its zero: doubling a place turns it upside down, one more lifts it. For a table of 32.',
    source: `uint32 n = x / 32 + 1;
uint256 value = 16;
for (uint32 i = 32; i > 0; i--) {
    // From the first digit of the place on.
    if ((n >> (i - 1)) & 1 == 1) value += 1;
    else value = 32 - value;
}
return uint32(32 * n + value % 32);`,
  },
  {
    name: 'spread_onsets',
    description: 'Times of so many beats in so many steps, as evenly as whole numbers allow.',
    source: `uint256 beats = args[0] == 0 ? 1 : args[0];
uint256 steps = args[1] < beats ? beats : args[1];
uint256 beat = (uint256(x) * beats + steps - 1) / steps;
return uint32((beat + 1) * steps / beats);`,
  },
  {
    name: 'golden_walk',
    description:
      'Walks by the Fibonacci word: up at each of its long letters, down at each short one. For a table of 16.',
    source: `uint256 up = args[0] % 16;
uint256 down = args[1] % 16;
uint256 n = x / 16 + 1;
bool long = (n + 1) * 610 / 987 > n * 610 / 987;
return uint32(16 * n + (x % 16 + (long ? up : 16 - down)) % 16);`,
  },
  {
    name: 'fair_share',
    description: 'Whose turn it is, 0 or 1, by Thue and Morse: no share is ever unfair. For a table of 2.',
    source: `uint32 n = x / 2 + 1;
uint32 ones = 0;
for (uint32 left = n; left > 0; left >>= 1) ones += left & 1;
return 2 * n + ones % 2;`,
  },
  {
    name: 'gray_code',
    description: 'Counts so that from each number to the next a single bit changes, and begins again.',
    source: `uint32 bits = args[0] > 16 ? 16 : args[0];
uint32 ones = 0;
for (uint32 left = x; left > 0; left >>= 1) ones += left & 1;
// Even: the last bit; odd: the one left of the lowest that is set.
uint32 next = ones % 2 == 0 ? x ^ 1 : x ^ ((x & (~x + 1)) << 1);
return next >> bits > 0 ? 0 : next;`,
  },
  {
    name: 'next_word',
    description:
      'All words of three letters out of five, each once but the silent one: a number is a word, its remainder by 5 the new letter.',
    source: `uint256 first = x / 25 % 5;
uint256 second = x / 5 % 5;
return uint32((x % 25) * 5 + (args[0] * first + args[1] * second) % 5);`,
  },
  {
    name: 'prelude_figure',
    description:
      'Breaks eight chords of five notes as Bach’s first prelude does: up by so many, then the upper three again. For a table of 40.',
    source: `uint256 climb = args[0] < 3 ? 3 : args[0] > 5 ? 5 : args[0];
uint256 notes = args[1] == 0 ? 1 : args[1];
uint256 n = x / 40 + 1;
uint256 place = n % 8;
uint256 note = place < climb ? place : climb - 3 + (place - climb) % 3;
return uint32(40 * n + 5 * (n / notes % 8) + note);`,
  },
  {
    name: 'twelve_bars',
    description:
      'A bass that walks through the twelve bars of a blues, four steps each: root, third, fifth, sixth. For 64 places.',
    source: `uint256 n = x / 64 + 1;
// Half tones of the root in each bar, and of each beat above it, one hexadecimal digit each.
uint256 root = (0x705700550000 >> (4 * (n / 4 % 12))) & 15;
uint256 beat = (0x9740 >> (4 * (n % 4))) & 15;
return uint32(64 * n + (args[0] + root + beat) % 64);`,
  },
  {
    name: 'logistic',
    description:
      'Robert May’s map: grows by a rate in thousandths, less the nearer it comes to 1000. Calm below 3000, chaos from 3570 on.',
    source: 'return uint32(uint256(args[0]) * x * (1000 - x) / 1000000);',
  },
  {
    name: 'hailstone',
    description:
      'Collatz: half of an even number, three times an odd one and one more; from 1 on a new stone falls.',
    source: 'if (x <= 1) return args[0];\nreturn x % 2 == 0 ? x / 2 : 3 * x + 1;',
  },
  {
    name: 'shift_register',
    description: 'Clockwork chance: shifts bits to the right; a 1 that falls out flips those of the taps.',
    source: 'return x % 2 == 1 ? (x >> 1) ^ args[0] : x >> 1;',
  },
  {
    name: 'next_in_sieve',
    description:
      'The next number that one of two sieves lets through: by its remainder, as Xenakis builds scales and rhythms.',
    source: `uint32 first = args[0] == 0 ? 1 : args[0];
uint32 second = args[2] == 0 ? 1 : args[2];
do x++; while (x % first != args[1] % first && x % second != args[3] % second);
return x;`,
  },
  {
    name: 'cells',
    description:
      'One generation of Wolfram’s elementary automaton on a ring of cells: the rule says what three neighbours make of the middle one.',
    source: `uint32 rule = args[0];
uint32 width = args[1] < 3 ? 3 : args[1] > 31 ? 31 : args[1];
uint32 next = 0;
for (uint32 i = 0; i < width; i++) {
    uint32 left = (x >> ((i + 1) % width)) & 1;
    uint32 right = (x >> ((i + width - 1) % width)) & 1;
    next |= ((rule >> (left * 4 + ((x >> i) & 1) * 2 + right)) & 1) << i;
}
return next;`,
  },
  {
    name: 'swing',
    description:
      'A pendulum as seen from the side: speed and phase in tenths of a degree, and how many hundreds of steps it lives, 0 for no end; after 4,096 steps it begins anew. A place among 4,096, times 4,096, and the count.',
    source: `uint256 n = x % 4096 + 1;
uint256 turn = (n * args[0] + args[1]) % 3600;
uint256 half = turn % 1800;
// Bhaskara's sine: good to a thousandth, without a table.
uint256 wave = half * (1800 - half);
uint256 height = 2047 * 16 * wave / (5 * 3240000 - 4 * wave);
uint256 life = uint256(args[2]) * 100;
height = life == 0 ? height : n < life ? height * (life - n) / life : 0;
return uint32(4096 * (turn < 1800 ? 2048 + height : 2048 - height) + n % 4096);`,
  },
  {
    name: 'broken_draw',
    description:
      'Four shafts in order, so many up and so many down again, with a step of its own at each break. For 16 places.',
    source: `uint256 ends = args[0] == 0 ? 1 : args[0];
uint256 n = x / 16 + 1;
uint256 step = n % ends == 0 ? args[1] : (n / ends) % 2 == 0 ? 1 : 3;
return uint32(16 * n + (x % 16 + step) % 4);`,
  },
  {
    name: 'dragon',
    description:
      'The dragon curve from the side of one axis, 0 or 1: a strip of paper folded in half again and again. For 128 places.',
    source: `uint32 n = x / 128;
uint32 place = x % 128;
uint32 folds = args[0];
for (uint32 left = n ^ (n >> 1); left > 0; left >>= 1) folds += left & 1;
if (folds % 4 == 0) place += 1;
else if (folds % 4 == 2) place += 127;
return 128 * (n + 1) + place % 128;`,
  },
]
