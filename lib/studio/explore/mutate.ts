import type { NumbersLayout } from '#lib/engine/variations/layout.ts'

/** Parts that stay as they are. */
export interface Locks {
  /** Start points and shifts. */
  readonly starts: boolean
  readonly arguments: boolean
  /** Order of the calls of a dimension. */
  readonly order: boolean
}

/** Random numbers from 0 up to 1, without it. */
export type Random = () => number

/** Random numbers that follow from the seed alone (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Something that can change: a number, or the order of the rows of a dimension. */
type Gene =
  | { readonly kind: 'number'; readonly at: number; readonly highest: number; readonly fromNothing: number }
  | { readonly kind: 'shift'; readonly at: number; readonly calls: number }
  | { readonly kind: 'order'; readonly at: number; readonly width: number; readonly calls: number }

const MAX_UINT32 = 0xffff_ffff
/** Values that index another connector: every step up to the largest has to be computed. */
const HIGHEST_INDEX = 4095
/** Largest number that takes the place of a 0, unless an argument beside it is larger. */
const FROM_NOTHING = 12
/** Largest factor by which a number changes, as a power of two. */
const OCTAVES = 3

/** Numbers and calls of a connector that can change. @param name Of the connector that is open: calls of others stay. */
export function genesOf(layout: NumbersLayout, name: string, locks: Locks): Gene[] {
  const { own, positions, rows } = layout
  const open = rows.filter(({ connector }) => connector === name)
  const genes: Gene[] = []
  if (!locks.starts) {
    for (const { position, isFixedBelow, isIndex, rows: row } of positions) {
      if (isFixedBelow) continue
      const at = 2 * position
      const calls = row === undefined ? undefined : rows[row]
      const largest = calls === undefined ? 0 : largestArgument(own, calls)
      genes.push({
        kind: 'number',
        at,
        highest: isIndex ? HIGHEST_INDEX : MAX_UINT32,
        fromNothing: Math.min(Math.max(FROM_NOTHING, largest), isIndex ? 64 : 1024),
      })
      const count = calls?.count ?? 0
      if (count > 1) genes.push({ kind: 'shift', at: at + 1, calls: count })
    }
  }
  for (const { at, width, count, codes } of open) {
    if (!locks.arguments) {
      for (let row = at; row < at + count * width; row += width) {
        const { argsCount } = codes[own[row]!]!
        for (let column = 1; column <= argsCount; column++) {
          genes.push({ kind: 'number', at: row + column, highest: MAX_UINT32, fromNothing: FROM_NOTHING })
        }
      }
    }
    if (!locks.order && count > 1) genes.push({ kind: 'order', at, width, calls: count })
  }
  return genes
}

function largestArgument(own: Uint32Array, { at, width, count }: NumbersLayout['rows'][number]): number {
  let largest = 0
  for (let cell = at; cell < at + width * count; cell++) {
    if ((cell - at) % width !== 0) largest = Math.max(largest, own[cell]!)
  }
  return largest
}

/**
 * Other numbers near these: at least one gene changes. A number stays within a factor of eight on a logarithmic scale
 * and within its type; what is not 0 does not become 0.
 *
 * @param strength 1 for the whole of that range, less for nearer ones.
 */
export function mutated(
  numbers: Uint32Array,
  genes: readonly Gene[],
  random: Random,
  strength = 1,
): Uint32Array {
  const next = numbers.slice()
  if (genes.length === 0) return next
  const share = Math.min(1, Math.max(0.3, 3 / genes.length)) * strength
  const certain = Math.floor(random() * genes.length)
  genes.forEach((gene, index) => {
    const chance = random()
    if (index === certain || chance < share) change(next, gene, random, strength)
  })
  return next
}

function change(numbers: Uint32Array, gene: Gene, random: Random, strength: number): void {
  if (gene.kind === 'order') {
    shuffle(numbers, gene, random)
    return
  }
  if (gene.kind === 'shift') {
    numbers[gene.at] =
      ((numbers[gene.at]! % gene.calls) + 1 + Math.floor(random() * (gene.calls - 1))) % gene.calls
    return
  }
  const { at, highest, fromNothing } = gene
  const before = numbers[at]!
  if (before === 0) {
    numbers[at] = Math.min(highest, 1 + Math.floor(random() * fromNothing))
    return
  }
  // The sum of three is near the normal distribution, and bounded.
  const octaves = ((random() + random() + random()) * 2 - 3) * (OCTAVES / 3) * strength
  let after = Math.round(before * 2 ** octaves)
  if (after === before) after += random() < 0.5 ? -1 : 1
  numbers[at] = Math.min(highest, Math.max(1, after))
}

function shuffle(
  numbers: Uint32Array,
  { at, width, calls }: { readonly at: number; readonly width: number; readonly calls: number },
  random: Random,
): void {
  for (let last = calls - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const row = numbers.slice(at + last * width, at + (last + 1) * width)
    numbers.copyWithin(at + last * width, at + other * width, at + (other + 1) * width)
    numbers.set(row, at + other * width)
  }
}

/** A mix of two: each start and each dimension's calls are those of one of them. */
export function bred(
  one: Uint32Array,
  other: Uint32Array,
  layout: NumbersLayout,
  random: Random,
): Uint32Array {
  const child = one.slice()
  const take = (from: number, to: number) => child.set(other.subarray(from, to), from)
  for (const { position } of layout.positions) {
    if (random() < 0.5) take(2 * position, 2 * position + 2)
  }
  for (const { at, width, count } of layout.rows) {
    const end = at + width * count
    const rows = Array.from({ length: count }, (_, row) => at + row * width)
    if (rows.every((row) => one[row] === other[row])) {
      for (const row of rows) if (random() < 0.5) take(row, row + width)
    } else if (random() < 0.5) take(at, end)
  }
  return child
}
