import { createPublicClient, http } from 'viem'
import type { BuiltArtifact } from '../../lib/protocol/artifact.ts'
import { assertSame, newEngine, type Values, valuesOf } from '../engines.ts'
import { freshStarts, runOf } from '../network/artifacts.ts'
import type { BenchChain } from '../network/chain.ts'
import { newCompiledEvm } from '../network/edr.ts'
import { SHAPES } from '../network/shapes.ts'
import type { Options } from '../options.ts'
import { figure, ms, times } from '../support/format.ts'
import { alternate, median } from '../support/measure.ts'
import type { Report } from '../support/report.ts'

const COUNTS = [8192, 65_536] as const
const COMPARED = ['S1', 'C4', 'T27'] as const

/**
 * The engine against a compiled EVM in the same process (EDR), without HTTP: new, the first run of an engine or a provider that
 * was just made and has the code, and warm. Then with the answer as JSON text, as a request would have it.
 */
export async function fastest(
  report: Report,
  artifacts: ReadonlyMap<string, BuiltArtifact>,
  chain: BenchChain,
  { rounds }: Options,
): Promise<void> {
  const runner = await createPublicClient({ transport: http(chain.url) }).getCode({ address: chain.runner })
  if (runner === undefined) throw new Error('The chain has no Runner')
  report.heading('Against a compiled EVM in the same process (EDR)')
  const rows: string[][] = []
  for (const shape of COMPARED) {
    for (const count of COUNTS) {
      const request = (round: number) => runOf(artifacts, shape, count, freshStarts(artifacts, shape, round))
      const engine = newEngine()
      const evm = await newCompiledEvm(runner, request(0))
      const seen: { ours?: Values; edr?: Values } = {}
      const taken = await alternate(
        [
          { name: 'edr', work: async (i) => (seen.edr = valuesOf(await evm.run(request(i)))) },
          { name: 'ours', work: async (i) => (seen.ours = await engine.run(request(i))) },
          { name: 'edr, JSON', work: async (i) => json(valuesOf(await evm.run(request(1000 + i)))) },
          { name: 'ours, JSON', work: async (i) => json(await engine.run(request(1000 + i))) },
        ],
        { rounds, warmUp: 3 },
      )
      assertSame(`${shape}: ours and EDR's`, seen.ours!, seen.edr!)
      const evms = await Promise.all(Array.from({ length: rounds }, () => newCompiledEvm(runner, request(0))))
      const first = await alternate(
        [
          { name: 'edr', work: async (i) => valuesOf(await evms[i]!.run(request(2000 + i))) },
          { name: 'ours', work: (i) => newEngine().run(request(2000 + i)) },
        ],
        { rounds, warmUp: 0 },
      )
      const at = (name: string, of = taken) => median(of.get(name) ?? [])
      rows.push([
        `${shape}: ${SHAPES[shape]}`,
        figure(count),
        ms(at('edr', first)),
        ms(at('edr')),
        ms(at('edr, JSON')),
        ms(at('ours', first)),
        ms(at('ours')),
        ms(at('ours, JSON')),
        times(at('edr') / at('ours')),
        times(at('edr', first) / at('ours', first)),
      ])
    }
  }
  report.table(
    [
      'shape',
      'particles',
      'EDR, new',
      'EDR, warm',
      'with JSON',
      'ours, new',
      'ours, warm',
      'with JSON',
      'of EDR',
      'new, of EDR',
    ],
    rows,
  )
  report.line('Values of both were compared: no difference.')
}

function json(values: Values): string {
  return JSON.stringify(values.map((one) => Array.from(one)))
}
