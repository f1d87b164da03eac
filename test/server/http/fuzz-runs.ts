import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Operation } from '#lib/server/http/operation.ts'
import { drawn, SEED, TIMES } from '#test/support/slice.ts'
import { type FuzzDocument, type FuzzRequest, requestsTo, type Vocabulary } from './requests.ts'

/** Long runs are bounded by count, not by time; hanging requests by their timeout. */
export const FUZZ_TIMEOUT_MS = TIMES > 1 ? 3_600_000 : 300_000

/** Parameters of a property. @param usual Requests in a run of `npm test`. */
export function fuzzParameters(usual: number) {
  return { seed: SEED, numRuns: drawn(usual), interruptAfterTimeLimit: FUZZ_TIMEOUT_MS - 60_000 }
}

/** Node takes 16 KiB of request line and headers together: what is longer never reaches an API. */
const LONGEST_PATH = 15_000

/** Asks every operation anything that its document lets one think of: nothing ends in a 500. */
export function nothingBreaks(
  operations: readonly Operation[],
  document: unknown,
  standard: number,
  api: {
    readonly vocabulary: () => Vocabulary
    readonly send: (request: FuzzRequest) => Promise<{ readonly status: number; readonly defect: unknown }>
    /** Some request of so many succeeds. */
    readonly succeeds?: (id: string) => boolean
  },
): void {
  const drawn = JSON.parse(JSON.stringify(document)) as FuzzDocument
  test.each(operations.map((operation) => [operation.id, operation] as const))(
    'no request breaks %s',
    async (id, operation) => {
      const statuses = new Set<number>()
      await fc.assert(
        fc.asyncProperty(requestsTo(operation, drawn, api.vocabulary()), async (request) => {
          fc.pre(request.path.length < LONGEST_PATH)
          const { status, defect } = await api.send(request)
          if (defect !== undefined) throw defect
          expect(status).not.toBe(500)
          statuses.add(status)
        }),
        fuzzParameters(standard / operations.length),
      )
      const success = Object.keys(operation.responses).map(Number)
      if (api.succeeds?.(id)) expect(success.some((status) => statuses.has(status))).toBe(true)
    },
    FUZZ_TIMEOUT_MS,
  )
}

/** The token that a request carries. */
export function bearer({ token }: FuzzRequest, valid: string): { token?: string } {
  if (token === 'none') return {}
  return { token: token === 'valid' ? valid : `${valid.slice(0, -3)}abc` }
}

/** Names and sources that hold in every API. */
export const WORDS = {
  // `same` is a transformation, a condition and a connector, so that random references often hold.
  names: [
    ...Array<string>(5).fill('same'),
    ...['add', 'flag', 'pair', 'nobody', '_', 'toString', '__proto__', 'a'.repeat(128)],
  ],
  sources: [
    ...['return x + args[0];', 'return args[0] > 0;', 'return x;', 'return', '}', 'assembly { }'],
    ...['while (true) {}', 'import "x";'],
  ],
}
