import type { CodeArtifact } from '../../domain/artifact.ts'

/** A transformation with its arguments. */
export interface Call {
  readonly code: CodeArtifact
  readonly args: readonly number[]
  /** Content hash and arguments: calls with equal keys do the same. */
  readonly key: string
}

/** The calls that a dimension takes turns through, at least one. */
export interface CallList {
  readonly calls: readonly Call[]
  /**
   * How the Runner asks for steps: many at once of one transformation, many at once of one transformation with
   * several argument lists, or one by one.
   */
  readonly mode: 'range' | 'cycle' | 'each'
  readonly key: string
}

export function callList(calls: readonly { code: CodeArtifact; args: readonly number[] }[]): CallList {
  const keyed = calls.map(({ code, args }) => ({ code, args, key: `${code.contentHash}(${args.join()})` }))
  const first = calls[0]!
  const same = calls.every(
    ({ code, args }) => code.contentHash === first.code.contentHash && args.length === first.args.length,
  )
  // Without arguments every call is the same one.
  const mode = !same ? 'each' : calls.length === 1 || first.args.length === 0 ? 'range' : 'cycle'
  return { calls: keyed, mode, key: keyed.map(({ key }) => key).join('') }
}

const CALL_BYTES = 300
const NUMBER_BYTES = 8

/** What a list takes in memory, roughly, with the code that it holds. */
export function callListBytes({ calls }: CallList): number {
  let bytes = 0
  // Each key is there twice: by itself, and in the key of the list.
  for (const { args, key } of calls) bytes += CALL_BYTES + NUMBER_BYTES * args.length + 2 * key.length
  for (const code of new Set(calls.map((call) => call.code))) bytes += code.runtime.length
  return bytes
}
