import type { Measures } from '#lib/studio/explore/measures.ts'
import type { Variation } from '#lib/studio/explore/messages.ts'

/** What a sheet is sorted by: a measure, or the order in which the seed draws. */
export type Sorting = keyof Measures | 'drawn'

export const SORTINGS: readonly { readonly sorting: Sorting; readonly label: string }[] = [
  { sorting: 'drawn', label: 'As drawn' },
  { sorting: 'novelty', label: 'Novelty' },
  { sorting: 'range', label: 'Range' },
  { sorting: 'period', label: 'Period' },
  { sorting: 'entropy', label: 'Entropy' },
]

/** The largest first; of periods the shortest, and what does not repeat last. */
export function sorted(variations: readonly Variation[], sorting: Sorting): readonly Variation[] {
  if (sorting === 'drawn') return variations
  if (sorting === 'period') {
    return variations.toSorted(
      (a, b) =>
        (a.period || Number.POSITIVE_INFINITY) - (b.period || Number.POSITIVE_INFINITY) || a.index - b.index,
    )
  }
  return variations.toSorted((a, b) => b[sorting] - a[sorting] || a.index - b.index)
}

/** A measure as text: `range 4.6 bits`, `repeats every 12`. @param isShort Without its name. */
export function wordOf(variation: Variation, measure: keyof Measures, isShort = false): string {
  const value = variation[measure]
  switch (measure) {
    case 'period':
      if (value === 0) return isShort ? 'no repeat' : 'does not repeat'
      return isShort ? `every ${value}` : `repeats every ${value}`
    case 'novelty':
      return isShort ? value.toFixed(2) : `novelty ${value.toFixed(2)}`
    default:
      return isShort ? `${value.toFixed(1)} bits` : `${measure} ${value.toFixed(1)} bits`
  }
}
