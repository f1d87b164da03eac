import type { PositionedRunningInstance } from '../../domain/definition.ts'
import { readNumber, UINT32 } from '../studio/document/numbers.ts'

/** The two fields of one position as they are typed; an empty text sets nothing. */
export interface TypedStart {
  readonly start: string
  readonly shift: string
}

/** By position; what is not set has no entry. */
export type TypedStarts = ReadonlyMap<number, TypedStart>

export const NO_STARTS: TypedStarts = new Map()
const EMPTY: TypedStart = { start: '', shift: '' }

/** As many as the API takes. */
const MAX_STARTS = 4096

export type ReadStarts =
  | { readonly ok: true; readonly dynamicRi: readonly PositionedRunningInstance[] }
  /** Sentences by position. */
  | { readonly ok: false; readonly problems: ReadonlyMap<number, string> }

/** What the fields say to a run. Of a pair, the empty one is 0. */
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

/** The fields with one of them changed. Two empty fields set nothing any more. */
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

/** Fields that say what a run was told. */
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
