import type { Stream } from '#lib/studio/runs/run.ts'

/** Difference of a stream from the one of the same path in another run. */
export interface StreamDifference {
  readonly path: string
  /** `before` is undefined for a new path, `after` for a removed one. */
  readonly before: Stream | undefined
  readonly after: Stream | undefined
  /** Steps whose values differ; a step that only one of them has differs. */
  readonly steps: number
  /** The first of these; undefined when there is none. */
  readonly first: number | undefined
  /** Largest distance of two values at one step. */
  readonly largest: number
}

/**
 * Compares two runs by path, in the order of `after`, then removed paths. Repeated paths are paired in order.
 */
export function compareRuns(before: readonly Stream[], after: readonly Stream[]): StreamDifference[] {
  const waiting = new Map<string, Stream[]>()
  for (const stream of before) {
    const same = waiting.get(stream.path)
    if (same) same.push(stream)
    else waiting.set(stream.path, [stream])
  }
  const present = after.map((stream) => difference(waiting.get(stream.path)?.shift(), stream))
  const gone = [...waiting.values()].flat().map((stream) => difference(stream, undefined))
  return [...present, ...gone]
}

function difference(before: Stream | undefined, after: Stream | undefined): StreamDifference {
  const a = before?.data ?? []
  const b = after?.data ?? []
  let steps = 0
  let first: number | undefined
  let largest = 0
  for (let step = 0; step < Math.max(a.length, b.length); step++) {
    const one = a[step]
    const other = b[step]
    if (one === other) continue
    steps += 1
    first ??= step
    if (one !== undefined && other !== undefined) largest = Math.max(largest, Math.abs(one - other))
  }
  return { path: (after ?? before)?.path ?? '', before, after, steps, first, largest }
}
