import type { Measures } from '#lib/studio/explore/measures.ts'
import type { Variation } from '#lib/studio/explore/messages.ts'

/** Key by which a sheet is sorted: a measure, or the order in which the seed draws. */
export type Sorting = 'drawn' | 'calm' | 'busy' | 'strange' | 'wide' | 'period'

export const SORTINGS: readonly { readonly sorting: Sorting; readonly label: string }[] = [
  { sorting: 'drawn', label: 'As they come' },
  { sorting: 'calm', label: 'Calmer first' },
  { sorting: 'busy', label: 'Busier first' },
  { sorting: 'strange', label: 'Stranger first' },
  { sorting: 'wide', label: 'Wider first' },
  { sorting: 'period', label: 'Soonest again first' },
]

/** Smaller first. */
const RANKS: Readonly<Record<Exclude<Sorting, 'drawn'>, (variation: Variation) => number>> = {
  calm: ({ entropy }) => entropy,
  busy: ({ entropy }) => -entropy,
  strange: ({ novelty }) => -novelty,
  wide: ({ range }) => -range,
  // What does not repeat is last.
  period: ({ period }) => period || Number.POSITIVE_INFINITY,
}

export function sorted(variations: readonly Variation[], sorting: Sorting): readonly Variation[] {
  if (sorting === 'drawn') return variations
  const rank = RANKS[sorting]
  return variations.toSorted((a, b) => rank(a) - rank(b) || a.index - b.index)
}

/** Bits, or share of novelty, from which a difference is worth a word. */
const NOTICEABLE: Readonly<Record<Exclude<keyof Measures, 'period'>, number>> = {
  entropy: 0.25,
  range: 0.25,
  novelty: 0.02,
}

const WORDS: Readonly<Record<keyof typeof NOTICEABLE, readonly [less: string, more: string]>> = {
  entropy: ['calmer', 'busier'],
  range: ['narrower', 'wider'],
  novelty: ['', 'stranger'],
}

/** A measure in a word, beside that of the variation it is compared with: `busier`; empty where they are alike. */
function wordOf(variation: Variation, than: Variation, measure: keyof typeof NOTICEABLE): string {
  const by = variation[measure] - than[measure]
  if (Math.abs(by) < NOTICEABLE[measure]) return ''
  return WORDS[measure][by < 0 ? 0 : 1]
}

/** Describes the difference of a variation from another one, and when it begins again. */
export function wordsOf(variation: Variation, than: Variation): readonly string[] {
  const { period } = variation
  return [
    ...(['entropy', 'range', 'novelty'] as const).map((measure) => wordOf(variation, than, measure)),
    period === 0 ? 'never the same' : `again every ${period} steps`,
  ].filter((word) => word !== '')
}

/** The word for what the sheet is sorted by; empty for none. */
export function noteOf(variation: Variation, than: Variation, sorting: Sorting): string {
  switch (sorting) {
    case 'drawn':
      return ''
    case 'calm':
    case 'busy':
      return wordOf(variation, than, 'entropy')
    case 'strange':
      return wordOf(variation, than, 'novelty')
    case 'wide':
      return wordOf(variation, than, 'range')
    case 'period':
      return variation.period === 0 ? '' : `every ${variation.period}`
  }
}
