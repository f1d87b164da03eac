import type { BuiltArtifact } from '#lib/protocol/artifact.ts'
import { assertSame, newEngine, type Values, valuesOf } from '../engines.ts'
import { freshStarts, runOf } from '../network/artifacts.ts'
import { type BenchChain, resultOf } from '../network/chain.ts'
import { handWrittenC4 } from '../network/hand-written.ts'
import { SHAPES } from '../network/shapes.ts'
import { figure, ms, times } from '../support/format.ts'
import { alternate, median } from '../support/measure.ts'
import type { Options, Report } from '../support/report.ts'

/**
 * Computing alone, in this process: the engine, warm and new, against the Runner contract in anvil, whose times include
 * HTTP and hexadecimal text. Every round has new starts.
 */
export async function simulate(
  report: Report,
  artifacts: ReadonlyMap<string, BuiltArtifact>,
  chain: BenchChain,
  { particles, rounds }: Options,
): Promise<void> {
  report.heading(`Simulating, ${figure(particles)} particles`)
  const rows: string[][] = []
  let worst = Number.POSITIVE_INFINITY
  let detail = ''
  for (const [shape, about] of Object.entries(SHAPES)) {
    const request = (round: number) =>
      runOf(artifacts, shape, particles, freshStarts(artifacts, shape, round))
    const engine = newEngine()
    const seen: { ours?: Values; anvil?: Values } = {}

    // Requests are built before the measurement.
    const turns = 10
    const warm = Array.from({ length: (rounds + 2) * turns }, (_, i) => request(1000 + i))
    const calls = Array.from({ length: rounds + 1 }, (_, i) =>
      chain.request(shape, particles, request(i).dynamicRi),
    )
    for (let round = 0; round < 20; round++) await engine.run(request(100_000 + round))
    const taken = await alternate(
      [
        { name: 'anvil', work: async (i) => (seen.anvil = valuesOf(resultOf(await chain.send(calls[i]!)))) },
        { name: 'cold', work: async (i) => (seen.ours = await newEngine().run(request(i))) },
        { name: 'warm', work: (i) => engine.run(warm[i]!), repeat: turns },
        ...(shape === 'C4'
          ? [
              {
                name: 'hand',
                work: (i: number) =>
                  handWrittenC4(
                    warm[i]!.dynamicRi.map(({ startPoint }) => startPoint),
                    particles,
                  ),
                repeat: turns,
              },
            ]
          : []),
      ],
      { rounds },
    )
    assertSame(`${shape}: ours and anvil's`, seen.ours!, seen.anvil!)
    const at = (name: string) => median(taken.get(name) ?? [])
    rows.push([
      `${shape}: ${about}`,
      ms(at('anvil')),
      ms(at('cold')),
      ms(at('warm')),
      shape === 'C4' ? ms(at('hand')) : '',
      times(at('anvil') / at('warm')),
      times(at('anvil') / at('cold')),
    ])
    const ratio = at('anvil') / at('warm')
    if (ratio < worst) {
      worst = ratio
      detail = `worst of the shapes: ${shape}, ${ms(at('anvil'))} against ${ms(at('warm'))}`
    }
  }
  report.table(['shape', 'anvil', 'ours, new', 'ours, warm', 'by hand', 'of anvil', 'new, of anvil'], rows)
  report.line('Values of all engines were compared: no difference.')
  report.goal('anvilCompute', worst, detail)
}
