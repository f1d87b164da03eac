import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { createExactEngine } from '#lib/compute/simulator/exact-engine.ts'
import { createEngine, translators } from '#lib/engine/engine.ts'
import type { RunOutcome, RunRequest } from '#lib/engine/run.ts'
import type { Translators } from '#lib/engine/types.ts'
import type { NumbersLayout } from '#lib/engine/variations/layout.ts'
import type { BuiltArtifact, CodeArtifact } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { ConnectorDefinition } from '#lib/protocol/definition.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import { runtimeOf } from '#test/engine/compiled-bodies.ts'
import { PLAUSIBLE_BODIES } from '#test/engine/plausible-bodies.ts'
import { compileOnce } from '#test/support/compiled-bodies.ts'
import { drawn, SEED } from '#test/support/slice.ts'
import { CONDITIONS, TRANSFORMATIONS } from './bodies.ts'
import { networks } from './networks.ts'

/** Random networks; six variations of each are compared, one of them with the exact EVM too. */
const NETWORKS = drawn(10)
const LIMITS = { steps: 300_000, gas: 60_000_000n, milliseconds: 20_000 }
/** The ordinary engine may have cached what this one has to compute. */
const OWN_LIMITS = { ...LIMITS, steps: 20 * LIMITS.steps }
const COUNT = 24

const code = new Map<string, CodeArtifact>()
/** Translations with fixed arguments by the engine that varies: runs that did not take the fast path. */
let plainly = 0
const counted: Translators['specialise'] = (bytes, args) => {
  if (args.some((arg) => typeof arg === 'number')) plainly += 1
  return translators.specialise!(bytes, args)
}
const engine = createEngine({ translators: { ...translators, specialise: counted } })
const ordinary = createEngine({ translators })
const exact = createEngine({ exact: createExactEngine(), translators: {} })

beforeAll(() => {
  for (const [kind, bodies] of [
    ['transformation', TRANSFORMATIONS],
    ['condition', CONDITIONS],
  ] as const) {
    for (const { name, body, argsCount } of bodies) {
      const { runtime } = compileOnce(kind, body)
      const contentHash = codeContentHash(kind, name, argsCount, runtime)
      code.set(`${kind}/${name}`, { kind, name, argsCount, runtime, contentHash })
    }
  }
})

/** A number near what is there, or one at the edges. */
const anyNumber = fc.oneof(
  { weight: 8, arbitrary: fc.nat(40) },
  { weight: 2, arbitrary: fc.nat(70_000) },
  { weight: 1, arbitrary: fc.constantFrom(0, 255, 256, 0xfffff, 0x100000, 0x8000_0000, 0xffff_ffff) },
)

/** Other numbers of a layout: of everything that a root may set, with the rows of each dimension in another order. */
function varied(layout: NumbersLayout, draw: <T>(arbitrary: fc.Arbitrary<T>) => T): Uint32Array {
  const numbers = layout.own.slice()
  if (draw(fc.nat(3)) === 0) numbers[0] = draw(fc.nat(30))
  for (const { position, isFixedBelow } of layout.positions) {
    if (isFixedBelow || draw(fc.boolean())) continue
    numbers[2 * position] = draw(anyNumber)
    numbers[2 * position + 1] = draw(
      fc.oneof({ weight: 9, arbitrary: fc.nat(5) }, { weight: 1, arbitrary: anyNumber }),
    )
  }
  for (const { at, width, count, codes } of layout.rows) {
    const rows = Array.from({ length: count }, (_, row) =>
      layout.own.slice(at + row * width, at + (row + 1) * width),
    )
    const order = draw(fc.shuffledSubarray(rows, { minLength: count, maxLength: count }))
    for (const [row, cells] of order.entries()) {
      for (let column = 1; column <= codes[cells[0]!]!.argsCount; column++) {
        if (draw(fc.boolean())) cells[column] = draw(anyNumber)
      }
      numbers.set(cells, at + row * width)
    }
  }
  return numbers
}

/** The definitions of a variation, made from those of the connector by hand. */
function definitionsOf(
  definitions: readonly ConnectorDefinition[],
  root: string,
  { rows, positions }: NumbersLayout,
  numbers: Uint32Array,
): ConnectorDefinition[] {
  return definitions.map((definition) => ({
    ...definition,
    dimensions: definition.dimensions.map((dimension, index) => {
      const found = rows.find((one) => one.connector === definition.name && one.dimension === index)
      if (found === undefined) return dimension
      const { at, width, count, codes } = found
      const transformations = Array.from({ length: count }, (_, row) => {
        const { name, argsCount } = codes[numbers[at + row * width]!]!
        return { name, args: [...numbers.slice(at + row * width + 1, at + row * width + 1 + argsCount)] }
      })
      return { ...dimension, transformations }
    }),
    staticRi:
      definition.name !== root
        ? definition.staticRi
        : [
            { position: 0, startPoint: numbers[0]!, transformationShift: 0 },
            ...positions
              .filter(({ isFixedBelow }) => !isFixedBelow)
              .map(({ position }) => ({
                position,
                startPoint: numbers[2 * position]!,
                transformationShift: numbers[2 * position + 1]!,
              })),
          ],
  }))
}

function requestOf(definitions: readonly ConnectorDefinition[], root: string): RunRequest {
  const artifacts = new Map<string, BuiltArtifact>(code)
  const lookup = (kind: EntityKind, name: string) => artifacts.get(`${kind}/${name}`)
  for (const definition of definitions) {
    artifacts.set(`connector/${definition.name}`, buildConnector(definition, lookup))
  }
  const { contentHash } = artifacts.get(`connector/${root}`)!
  return { root: contentHash, artifacts: [...artifacts.values()], particlesCount: COUNT, dynamicRi: [] }
}

function answerOf(outcome: RunOutcome): string | readonly string[] {
  return outcome.status === 'returned' ? outcome.particles.map(({ data }) => data.join()) : outcome.status
}

test(`variations have the values of the connectors that they are (seed ${SEED})`, async () => {
  let compared = 0
  let returned = 0
  let onEvms = 0
  plainly = 0
  await fc.assert(
    fc.asyncProperty(networks, fc.gen(), async ({ connectors }, gen) => {
      const root = connectors.at(-1)!.name
      const variations = engine.vary(requestOf(connectors, root), OWN_LIMITS)!
      const out = new Uint32Array(variations.paths.length * COUNT)
      for (let round = 0; round < 6; round++) {
        const numbers =
          round === 0 ? variations.layout.own : varied(variations.layout, (one) => gen(() => one))
        const request = requestOf(definitionsOf(connectors, root, variations.layout, numbers), root)
        const expected = answerOf(ordinary.runNow(request, LIMITS))
        // Too much work for either, or nothing that runs without an EVM.
        if (typeof expected === 'string' && expected !== 'reverted') continue
        const answer = () =>
          Array.from({ length: variations.paths.length }, (_, leaf) =>
            out.subarray(leaf * COUNT, (leaf + 1) * COUNT).join(),
          )
        for (const run of [variations.run, variations.runPlainly]) {
          out.fill(7)
          const status = run(numbers, COUNT, out)
          expect(status === 'returned' ? answer() : status).toEqual(expected)
        }
        compared += 1
        if (typeof expected !== 'string') returned += 1
        if (round !== 1) continue
        const onEvm = answerOf(await exact.run(request, LIMITS))
        if (onEvm === 'exhausted') continue
        expect(onEvm).toEqual(expected)
        onEvms += 1
      }
    }),
    { seed: SEED, numRuns: NETWORKS, endOnFailure: true },
  )
  expect(compared).toBeGreaterThan(NETWORKS * 3)
  expect(returned).toBeGreaterThan(NETWORKS)
  expect(onEvms).toBeGreaterThan(NETWORKS / 4)
})

test('typical bodies run by the common translation, with the values of one that has its arguments fixed', () => {
  let translated = 0
  for (const { title, body, args } of PLAUSIBLE_BODIES) {
    if (args.length === 0) continue
    const runtime = `0x${Buffer.from(runtimeOf(body)).toString('hex')}` as const
    const contentHash = codeContentHash('transformation', 'body', args.length, runtime)
    code.set('transformation/body', {
      kind: 'transformation',
      name: 'body',
      argsCount: args.length,
      runtime,
      contentHash,
    })
    const call = { name: 'body', args }
    const definition: ConnectorDefinition = {
      name: 'c',
      dimensions: [{ transformations: [call, call], composite: '', bindings: [] }],
      conditionName: '',
      conditionArgs: [],
      staticRi: [],
    }
    const variations = engine.vary(requestOf([definition], 'c'), OWN_LIMITS)!
    const out = new Uint32Array(COUNT)
    plainly = 0
    fc.assert(
      fc.property(fc.gen(), (gen) => {
        const numbers = varied(variations.layout, (one) => gen(() => one))
        const request = requestOf(definitionsOf([definition], 'c', variations.layout, numbers), 'c')
        const expected = answerOf(ordinary.runNow(request, LIMITS))
        if (expected === 'exhausted') return
        const status = variations.run(numbers, COUNT, out)
        expect([title, status === 'returned' ? [out.join()] : status]).toEqual([title, expected])
      }),
      { seed: SEED, numRuns: 20 },
    )
    if (plainly === 0) translated += 1
  }
  expect(translated).toBeGreaterThan(10)
})
