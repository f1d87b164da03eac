import type { BuiltArtifact } from '#lib/protocol/artifact.ts'
import type { ConnectorDefinition, PositionedRunningInstance } from '#lib/protocol/definition.ts'
import { startsWire } from '#lib/protocol/definition-wire.ts'
import { assertSame, valuesOf } from '../engines.ts'
import { freshStarts } from '../network/artifacts.ts'
import { type BenchChain, resultOf } from '../network/chain.ts'
import { handWrittenC4 } from '../network/hand-written.ts'
import type { BenchProgram } from '../network/program.ts'
import { BODIES, CONNECTORS, SHAPES } from '../network/shapes.ts'
import { figure, ms, times } from '../support/format.ts'
import type { HttpAnswer } from '../support/http-client.ts'
import { alternate, median, percentile } from '../support/measure.ts'
import type { Options, Report } from '../support/report.ts'

const LARGE = 65_536
const SAMPLES = 15
/** A site that has been up for a while has had its machine code made; one that answers its tenth request has not. */
const WARM_UPS = 300

/**
 * Whole requests to the running program: sent, computed, written as JSON and received to the last byte, against
 * `eth_call` of anvil likewise. One connection each, one request at a time.
 */
export async function requests(
  report: Report,
  artifacts: ReadonlyMap<string, BuiltArtifact>,
  chain: BenchChain,
  program: BenchProgram,
  { particles, rounds }: Options,
): Promise<void> {
  for (const [name, source] of Object.entries(BODIES))
    await program.post('/transformation', { name: own(name), sol_src: source })
  for (const definition of CONNECTORS) await program.post('/connector', definitionRequest(definition, own))
  const simulate = (connector: string, count: number, dynamicRi: readonly PositionedRunningInstance[]) =>
    program.post('/simulate', {
      connector_name: own(connector),
      particles_count: count,
      dynamic_ri: startsWire(dynamicRi),
    })

  report.heading(`Whole requests, ${figure(particles)} particles`)
  for (const shape of Object.keys(SHAPES)) {
    for (let i = 0; i < WARM_UPS; i++)
      await simulate(shape, particles, freshStarts(artifacts, shape, 11_000 + i))
  }
  const rows: string[][] = []
  let worst = Number.POSITIVE_INFINITY
  let detail = ''
  for (const [shape, about] of Object.entries(SHAPES)) {
    const starts = (round: number) => freshStarts(artifacts, shape, round)
    for (let i = 0; i < 20; i++) await simulate(shape, particles, starts(10_000 + i))
    const seen: { ours?: HttpAnswer; anvil?: readonly Buffer[] } = {}
    const turns = 15
    const taken = await alternate(
      [
        {
          name: 'anvil',
          work: async (i) => {
            seen.anvil = await chain.send(chain.request(shape, particles, starts(i)))
          },
          repeat: turns,
        },
        {
          name: 'ours',
          work: async (i) => {
            seen.ours = await simulate(shape, particles, starts(i))
          },
          repeat: turns,
        },
      ],
      { rounds },
    )
    assertSame(shape, valuesOfAnswer(seen.ours!), valuesOf(resultOf(seen.anvil!)))
    const [anvil, ours] = ['anvil', 'ours'].map((name) => median(taken.get(name)!)) as [number, number]
    rows.push([`${shape}: ${about}`, ms(anvil), ms(ours), times(anvil / ours)])
    if (anvil / ours < worst) {
      worst = anvil / ours
      detail = `worst of the shapes: ${shape}, ${ms(anvil)} against ${ms(ours)}`
    }
  }
  report.table(['shape', 'anvil', 'ours', 'of anvil'], rows)
  report.goal('anvilHttp', worst, detail)

  await first(report, artifacts, chain, program, { particles, rounds }, simulate)
  await large(report, artifacts, simulate)
}

type Simulate = (
  connector: string,
  count: number,
  dynamicRi: readonly PositionedRunningInstance[],
) => Promise<HttpAnswer>

/** Creations and first runs before those that count, in which V8 compiles the specialiser. */
const UNCOUNTED_FIRST_RUNS = 10

/** New bodies, a connector of them, and its first run, in which everything is translated. */
async function first(
  report: Report,
  artifacts: ReadonlyMap<string, BuiltArtifact>,
  chain: BenchChain,
  program: BenchProgram,
  { particles, rounds }: Options,
  simulate: Simulate,
): Promise<void> {
  const ours: number[] = []
  const anvil: number[] = []
  for (let round = 0; round < UNCOUNTED_FIRST_RUNS + rounds; round++) {
    const suffix = `_${round}`
    const more = 1 + round
    const bodies = {
      Add: `return x + args[0] + ${more};`,
      Lcg: `unchecked { return uint32((uint256(x) * ${1_664_525 + 4 * more} + args[0]) % 4294967296); }`,
      Xorshift: `unchecked { x ^= x << 13; x ^= x >> 17; x ^= x << 5; return x + args[0] + ${more}; }`,
      Branch: `return x % 2 == 0 ? x / 2 : uint32((uint256(x) * ${more * 2 + 3} + args[0]) % 4294967296);`,
    }
    for (const [name, source] of Object.entries(bodies)) {
      await program.post('/transformation', { name: own(name) + suffix, sol_src: source })
    }
    const c4 = CONNECTORS.find(({ name }) => name === 'C4')!
    await program.post(
      '/connector',
      definitionRequest(c4, (name) => own(name) + suffix),
    )
    const starts = freshStarts(artifacts, 'C4', round)
    let began = performance.now()
    await simulate(`C4${suffix}`, particles, starts)
    const first = performance.now() - began
    const call = chain.request('C4', particles, starts)
    began = performance.now()
    await chain.send(call)
    const theirs = performance.now() - began
    if (round < UNCOUNTED_FIRST_RUNS) continue
    anvil.push(theirs)
    ours.push(first)
  }
  report.line(`First run of a new C4 with four new bodies: ${ms(median(ours))}, anvil ${ms(median(anvil))}.`)
}

/** The largest runs; of C4 beside the same loops written by hand, with `JSON.stringify`. */
async function large(
  report: Report,
  artifacts: ReadonlyMap<string, BuiltArtifact>,
  simulate: Simulate,
): Promise<void> {
  for (const shape of ['C4', 'T27'] as const) {
    const taken: number[] = []
    const byHand: number[] = []
    let bytes = 0
    for (let i = -5; i < SAMPLES; i++) {
      const starts = freshStarts(artifacts, shape, 20_000 + i)
      const began = performance.now()
      const { chunks } = await simulate(shape, LARGE, starts)
      if (i >= 0) taken.push(performance.now() - began)
      bytes = chunks.reduce((sum, { length }) => sum + length, 0)
      if (shape === 'C4') {
        const begun = performance.now()
        const streams = handWrittenC4(
          starts.map(({ startPoint }) => startPoint),
          LARGE,
        )
        Buffer.from(JSON.stringify(streams.map((data) => ({ data: [...data] }))))
        if (i >= 0) byHand.push(performance.now() - begun)
      }
    }
    const text = `p50 ${ms(median(taken))}, p95 ${ms(percentile(taken, 0.95))}, ${figure(bytes / 1e6)} MB of JSON`
    report.line(`${figure(LARGE)} particles of ${shape}: ${text}.`)
    if (shape === 'T27') report.goal('largeTree', median(taken), `${shape}: ${text}`)
    else report.goal('large', median(taken) / median(byHand), `${text}, by hand p50 ${ms(median(byHand))}`)
  }
}

/** A definition as the chain API takes it, with other names. */
function definitionRequest(definition: ConnectorDefinition, rename: (name: string) => string) {
  return {
    name: rename(definition.name),
    dimensions: definition.dimensions.map(({ transformations, composite }) => ({
      transformations: transformations.map(({ name, args }) => ({ name: rename(name), args })),
      ...(composite !== '' && { composite: rename(composite) }),
    })),
  }
}

/** Names of our own beside those of the example network. */
function own(name: string) {
  return `bench_${name}`
}

function valuesOfAnswer({ chunks }: HttpAnswer): Uint32Array[] {
  const items = JSON.parse(Buffer.concat(chunks).toString()) as { data: number[] }[]
  return items.map(({ data }) => Uint32Array.from(data))
}
