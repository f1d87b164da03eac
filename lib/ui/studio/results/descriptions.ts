import { counted, formatInteger } from '#lib/browser/format.ts'
import type { StreamDifference } from './compare.ts'
import type { Statistics } from './statistics.ts'

/** A text alternative to the plot of a stream. */
export function describePlot({ count, min, max, minAt, maxAt, distinct, trend }: Statistics): string {
  if (count === 0) return 'No values.'
  if (trend === 'constant') return `${counted(count, 'value')}, all ${formatInteger(min)}.`
  const course = { rising: 'never falls', falling: 'never rises', mixed: 'rises and falls' }[trend]
  return (
    `${counted(count, 'value')}, ${formatInteger(distinct)} of them different: from ${formatInteger(min)} ` +
    `(step ${formatInteger(minAt)}) to ${formatInteger(max)} (step ${formatInteger(maxAt)}); ${course}.`
  )
}

/** Describes the differences of two runs as a whole. */
export function describeComparison(differences: readonly StreamDifference[]): string {
  const isNew = differences.filter(({ before }) => before === undefined).length
  const gone = differences.filter(({ after }) => after === undefined).length
  const shared = differences.filter(({ before, after }) => before && after)
  const changed = shared.filter(({ steps }) => steps > 0)
  const first = Math.min(...changed.flatMap(({ first }) => first ?? []))
  const parts = [
    changed.length === 0
      ? shared.length > 0
        ? 'Same numbers in every voice both have'
        : 'No voice in common'
      : `${formatInteger(changed.length)} of ${counted(shared.length, 'voice')} ${changed.length === 1 ? 'differs' : 'differ'}, first at step ${formatInteger(first)}`,
    ...(isNew > 0 ? [`${counted(isNew, 'voice')} new`] : []),
    ...(gone > 0 ? [`${counted(gone, 'voice')} gone`] : []),
  ]
  return `${parts.join('; ')}.`
}

/** Describes the difference of one stream from the pinned one. */
export function describeDifference({ before, after, steps, first, largest }: StreamDifference): string {
  if (before === undefined) return 'New: the pinned run has no such voice.'
  if (after === undefined) return 'Gone: only the pinned run has this voice.'
  if (first === undefined) return 'Same as pinned.'
  const distance = largest > 0 ? `, by up to ${formatInteger(largest)}` : ''
  return `Differs at ${counted(steps, 'step')}, first at ${formatInteger(first)}${distance}.`
}
