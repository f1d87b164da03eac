import type { Mutant } from './mutants.ts'

interface Equivalent {
  /** The end of the file's path. */
  readonly file: string
  /** Part of the line that is changed. */
  readonly line: string
  readonly kind: Mutant['kind']
  readonly why: string
}

const BUDGET = 'a budget of the time that a translation takes: one more or less is as good'

/** Changes that no test can notice, or should. */
const EQUIVALENT: readonly Equivalent[] = [
  { file: 'specialise/specialise.ts', line: '{ nodes: ', kind: 'constant', why: BUDGET },
  { file: 'specialise/specialise.ts', line: 'const MOST_ROLLED', kind: 'constant', why: BUDGET },
  { file: 'specialise/explore.ts', line: 'const VISITS_BEFORE_WIDENING', kind: 'constant', why: BUDGET },
  { file: 'specialise/explore.ts', line: 'const MOST_VISITS', kind: 'constant', why: BUDGET },
  { file: 'specialise/explore.ts', line: 'i < 64', kind: 'constant', why: BUDGET },
  { file: 'specialise/explore.ts', line: 'i < 64', kind: 'boundary', why: BUDGET },
  { file: 'specialise/explore.ts', line: 'effort.spend(', kind: 'constant', why: BUDGET },
  { file: 'specialise/block.ts', line: 'effort.spend(', kind: 'constant', why: BUDGET },
  { file: 'specialise/emit.ts', line: 'const MOST_TEXT', kind: 'constant', why: BUDGET },
  { file: 'specialise/frame-path.ts', line: 'const LONGEST', kind: 'constant', why: BUDGET },
  { file: 'specialise/frame-path.ts', line: 'i < LONGEST', kind: 'boundary', why: BUDGET },
  {
    file: 'specialise/rewrite.ts',
    line: '** times > MAX_WORD',
    kind: 'boundary',
    why: '2^256 - 1 is no power of a number',
  },
  {
    file: 'specialise/linear.ts',
    line: 'factor > 0n ?',
    kind: 'boundary',
    why: 'no factor of a reduced sum is zero',
  },
  {
    file: 'specialise/linear.ts',
    line: 'known(a) < 256n',
    kind: 'boundary',
    why: 'sums are modulo 2^256: a shift by 256 gives zero either way',
  },
  {
    file: 'specialise/formula.ts',
    line: 'by.high > 52n',
    kind: 'constant',
    why: 'it only bounds the shift of the next condition, which refuses 53 as well',
  },
  {
    file: 'specialise/memory.ts',
    line: 'piece.start >= end) return',
    kind: 'boundary',
    why: 'a piece that begins where the write ends is cut at its own beginning',
  },
  {
    file: 'specialise/block.ts',
    line: 'placeOf(this.#pop(), 1)',
    kind: 'constant',
    why: 'where the size of a place matters the zero slot is, which refuses every write',
  },
  {
    file: 'translate/translate.ts',
    line: 'this.#operands(2)',
    kind: 'constant',
    why: 'the methods take two words, and the block ends there',
  },
  {
    file: 'translate/translate.ts',
    line: 'return false',
    kind: 'boolean',
    why: 'what is written behind the end of a block is never run',
  },
  {
    file: 'specialise/formula.ts',
    line: 'first.low >= second.high ||',
    kind: 'boundary',
    why: 'at the limits themselves the other way of writing it gives the same values',
  },
  {
    file: 'specialise/state.ts',
    line: "fresh('VARIABLE'",
    kind: 'arithmetic',
    why: 'a range that is a little wider holds every value as well',
  },
  { file: 'specialise/frame-path.ts', line: 'i < LONGEST', kind: 'constant', why: BUDGET },
  {
    file: 'specialise/frame-path.ts',
    line: 'Number(to.word) : -1',
    kind: 'constant',
    why: 'code has no place below zero, whichever it is',
  },
  { file: 'translate/frame.ts', line: 'this.take(1)', kind: 'constant', why: BUDGET },
  {
    file: 'translate/frame.ts',
    line: 'private size = 0',
    kind: 'constant',
    why: 'every call puts it to zero, and clears a byte more',
  },
  {
    file: 'translate/frame.ts',
    line: 'if (end > this.bytes.length)',
    kind: 'boundary',
    why: 'memory that is just large enough may grow as well',
  },
  {
    file: 'specialise/formula.ts',
    line: 'if (high <= MAX_32 ||',
    kind: 'boundary',
    why: 'at the limits themselves the other way of writing it gives the same values',
  },
  {
    file: 'translate/frame.ts',
    line: 'new DataView(new ArrayBuffer(32))',
    kind: 'constant',
    why: 'every call puts its own calldata in its place before it reads',
  },
  {
    file: 'translate/frame.ts',
    line: 'new Uint8Array(calldata.length + 32)',
    kind: 'constant',
    why: 'one more zero behind calldata is never read',
  },
  {
    file: 'translate/frame.ts',
    line: 'if (end > this.size)',
    kind: 'boundary',
    why: 'memory that grows by nothing costs nothing',
  },
]

/** Why no test notices a change, if that is known. */
export function equivalence({ file, code, kind }: Mutant): string | undefined {
  return EQUIVALENT.find((one) => file.endsWith(one.file) && kind === one.kind && code.includes(one.line))
    ?.why
}
