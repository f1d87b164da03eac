import { readNumber, UINT32 } from '#lib/browser/typed-number.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'

/** The typed fields of a position; empty for no override. */
export interface TypedStart {
  readonly start: string
  readonly shift: string
}

/** By position; without entries for empty fields. */
export type TypedStarts = ReadonlyMap<number, TypedStart>

export const NO_STARTS: TypedStarts = new Map()
const EMPTY: TypedStart = { start: '', shift: '' }

/** The API's limit. */
const MAX_STARTS = 4096

export type ReadStarts =
  | { readonly ok: true; readonly dynamicRi: readonly PositionedRunningInstance[] }
  /** Messages by position. */
  | { readonly ok: false; readonly problems: ReadonlyMap<number, string> }

/** The overrides of the typed fields. An empty field of a pair is 0. */
export function readTypedStarts(typed: TypedStarts): ReadStarts {
  const dynamicRi: PositionedRunningInstance[] = []
  const problems = new Map<number, string>()
  for (const [position, { start, shift }] of [...typed].sort(([a], [b]) => a - b)) {
    const startPoint = readNumber(start.trim() === '' ? '0' : start, UINT32)
    const transformationShift = readNumber(shift.trim() === '' ? '0' : shift, UINT32)
    if (!startPoint.ok) problems.set(position, startPoint.sentence)
    else if (!transformationShift.ok) problems.set(position, transformationShift.sentence)
    else {
      dynamicRi.push({
        position,
        startPoint: startPoint.value,
        transformationShift: transformationShift.value,
      })
    }
  }
  if (typed.size > MAX_STARTS) {
    const last = Math.max(...typed.keys())
    problems.set(last, `A run takes at most ${MAX_STARTS} starts; free some of them.`)
  }
  return problems.size > 0 ? { ok: false, problems } : { ok: true, dynamicRi }
}

/** The fields with a change applied. Two empty fields remove the entry. */
export function withTypedStart(
  typed: TypedStarts,
  position: number,
  change: Partial<TypedStart>,
): TypedStarts {
  const next = new Map(typed)
  const fields = { ...EMPTY, ...typed.get(position), ...change }
  if (fields.start.trim() === '' && fields.shift.trim() === '') next.delete(position)
  else next.set(position, fields)
  return next
}

/** The fields for the overrides of a run. */
export function typedStartsOf(dynamicRi: readonly PositionedRunningInstance[]): TypedStarts {
  return new Map(
    dynamicRi.map(({ position, startPoint, transformationShift }) => [
      position,
      {
        start: String(startPoint),
        shift: transformationShift === 0 ? '' : String(transformationShift),
      },
    ]),
  )
}
