import type { BuiltArtifact } from '../../lib/domain/artifact.ts'
import { buildConnector } from '../../lib/domain/creation-checks.ts'
import { define } from '../../test/support/definitions.ts'
import { assertSame, newEngine } from '../engines.ts'
import { runOf } from '../network/artifacts.ts'
import { HAND_WRITTEN } from '../network/hand-written.ts'
import type { Options } from '../options.ts'
import { figure, times } from '../support/format.ts'
import { alternate, median } from '../support/measure.ts'
import type { Report } from '../support/report.ts'

const PARTICLES = 65_536

/** One body each, 65,536 steps in a row, against the same loop written by hand in JavaScript. */
export async function bodies(
  report: Report,
  artifacts: ReadonlyMap<string, BuiltArtifact>,
  { rounds }: Options,
): Promise<void> {
  report.heading('Bodies against loops written by hand, million steps a second')
  const known = new Map(artifacts)
  const rows: string[][] = []
  let worst = 0
  let detail = ''
  for (const [name, { args, run }] of Object.entries(HAND_WRITTEN)) {
    const connector = `Only${name}`
    const definition = define({ name: connector, dimensions: [{ transformations: [{ name, args }] }] })
    known.set(
      `connector/${connector}`,
      buildConnector(definition, (kind, part) => known.get(`${kind}/${part}`)),
    )
    const engine = newEngine()
    const start = (round: number) => 1 + ((round * 7919) % 1_000_003)
    const request = (round: number) =>
      runOf(known, connector, PARTICLES, [{ position: 1, startPoint: start(round), transformationShift: 0 }])
    const byHand = (round: number) => {
      const target = new Uint32Array(PARTICLES)
      run(start(round), target)
      return target
    }
    assertSame(name, await engine.run(request(0)), [byHand(0)])
    const turns = 10
    const requests = Array.from({ length: turns * (rounds + 3) }, (_, i) => request(i + 1))
    const measured = await alternate(
      [
        { name: 'ours', work: (round) => engine.run(requests[round]!), repeat: turns },
        { name: 'hand', work: byHand, repeat: turns },
      ],
      { rounds, warmUp: 3 },
    )
    const ours = median(measured.get('ours')!)
    const hand = median(measured.get('hand')!)
    const speed = (milliseconds: number) => figure(PARTICLES / milliseconds / 1000)
    rows.push([name, speed(ours), speed(hand), times(ours / hand)])
    if (ours / hand > worst) {
      worst = ours / hand
      detail = `worst of ${Object.keys(HAND_WRITTEN).length} bodies: ${name}, ${speed(ours)} against ${speed(hand)} million steps/s`
    }
  }
  report.table(['body', 'ours', 'by hand', 'time of ours'], rows)
  report.goal('handWritten', worst, detail)
}
