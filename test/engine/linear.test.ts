import fc from 'fast-check'
import { expect, test } from 'vitest'
import { combine, isZero, type Linear, linear, type Quantity } from '#lib/engine/specialise/linear.ts'
import { Unspecialised } from '#lib/engine/specialise/value.ts'

/** Bounds of what the Runner sends, and of what the loop of the wrapper makes of it. */
const BOUNDS: Readonly<Record<Quantity, readonly [bigint, bigint]>> = {
  count: [1n, 2048n],
  lists: [2n, 65_535n],
  first: [0n, 65_534n],
  cursor: [128n, 128n + 4n * 2047n],
  list: [0xc4n, 2n ** 31n],
}
const NAMES = Object.keys(BOUNDS) as Quantity[]

function wordOf({ constant, factors }: Linear, values: ReadonlyMap<Quantity, bigint>): bigint {
  return BigInt.asUintN(
    256,
    [...factors].reduce((sum, [name, factor]) => sum + factor * values.get(name)!, constant),
  )
}

/** All quantities at either of their ends. */
const corners = Array.from(
  { length: 2 ** NAMES.length },
  (_, i) => new Map(NAMES.map((name, bit) => [name, BOUNDS[name][(i >> bit) & 1]!] as const)),
)

const few = fc.oneof(fc.bigInt({ min: -9n, max: 9n }), fc.constantFrom(1n << 255n, -(1n << 255n), 1n << 256n))
const ends = fc.constantFrom(...Object.values(BOUNDS).flat(), 1n << 255n, 0n)
const sum = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...NAMES), few, { maxKeys: 2 }),
    ends,
    fc.integer({ min: -2, max: 2 }),
    few,
  )
  .map(([factors, end, more, by]) => linear(by * end + BigInt(more), factors))

test('a sum is zero, or never, only where that holds of all quantities', () => {
  const seen = new Set<boolean | undefined>()
  const property = fc.property(sum, (one) => {
    const zeros = corners.map((values) => wordOf(one, values) === 0n)
    const decided = isZero(one)
    seen.add(decided)
    if (decided !== undefined) expect(new Set(zeros)).toEqual(new Set([decided]))
  })
  fc.assert(property, { seed: 7, numRuns: 3000 })
  expect(seen.size).toBe(3)
  for (const name of NAMES)
    for (const end of BOUNDS[name])
      for (const by of [1n, -1n, 3n]) expect(isZero(linear(-end * by, { [name]: by })), name).toBeUndefined()
  // Comes round to zero on the way.
  for (const by of [1n << 254n, -(1n << 254n)]) expect(isZero(linear(0n, { count: by }))).toBeUndefined()
})

test('opcodes of sums come to what they come to for any quantities', () => {
  const opcodes: readonly [string, (a: bigint, b: bigint) => bigint][] = [
    ['ADD', (a, b) => a + b],
    ['SUB', (a, b) => a - b],
    ['MUL', (a, b) => a * b],
    ['SHL', (a, b) => (a < 256n ? b << a : 0n)],
    ['NOT', (a) => -1n - a],
    ['EQ', (a, b) => a - b],
    ['ISZERO', (a) => a],
  ]
  const operand = fc.oneof(
    sum,
    few.map((word) => linear(word)),
    fc.nat(300).map((word) => linear(BigInt(word))),
  )
  for (const [op, expected] of opcodes) {
    let declined = 0
    const property = fc.property(operand, operand, (a, b) => {
      let result: ReturnType<typeof combine>
      try {
        result = combine(op, [a, b])
      } catch (error) {
        if (!(error instanceof Unspecialised)) throw error
        declined++
        return
      }
      const found = 'oneIfZero' in result ? result.oneIfZero : result
      for (const values of corners)
        expect(wordOf(found, values)).toBe(
          BigInt.asUintN(256, expected(wordOf(a, values), wordOf(b, values))),
        )
    })
    fc.assert(property, { seed: 7, numRuns: 300 })
    expect(declined > 0, op).toBe(op === 'MUL' || op === 'SHL')
  }
  for (const op of ['DIV', 'AND', 'LT', 'GT', 'SHR', 'XOR'])
    expect(() => combine(op, [linear(1n, { count: 1n }), linear(3n)]), op).toThrow(Unspecialised)
})
