/**
 * The built program at a moderate mixed load for a long time, and how much its memory grows: `npm run build`, then
 * `npm run bench:soak -- --minutes 30`. Reads, simulations, drafts, publications on chain and idle streams.
 *
 *   --minutes 30   --rate 40 a second   --entities 20000   --streams 200
 */
import { parseArgs } from 'node:util'
import { figure } from '../support/format.ts'
import { createReport, machine } from '../support/report.ts'
import { openIdleStreams } from './idle-streams.ts'
import { residentMb, type Sample, slopePerHour } from './memory.ts'
import { readingMix } from './mix.ts'
import { askAtRate } from './open-loop.ts'
import { publishing } from './publishing.ts'
import { seededRandom } from './random.ts'
import { openStage } from './stage.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '40' },
    entities: { type: 'string', default: '20000' },
    streams: { type: 'string', default: '200' },
  },
})
const minutes = Number(values.minutes)
/** Caches fill and code is compiled; then begins what counts. */
const WARM_UP = 1 / 3
const SAMPLE_MS = 5_000
/** Publications a minute. */
const PUBLISHED = 6

const report = createReport((text) => console.log(text))
report.line(machine())
const entities = Number(values.entities)
const stage = await openStage({
  entities,
  worlds: Math.floor(entities / 100),
  users: Math.floor(entities / 5),
})
try {
  const { program, origin } = stage
  const mix = readingMix(seededRandom(Date.now() >>> 0), stage.sample, stage.runnable)
  const streams = await openIdleStreams(origin, Number(values.streams))
  const samples: Record<'site' | 'worker', Sample[]> = { site: [], worker: [] }
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  const sampling = setInterval(() => {
    samples.site.push({ seconds: seconds(), mb: residentMb(program.pid) })
    samples.worker.push({ seconds: seconds(), mb: residentMb(program.workerPid) })
  }, SAMPLE_MS)
  const publisher = await publishing(stage, PUBLISHED)
  const rows: string[][] = []
  for (let minute = 1; minute <= minutes; minute++) {
    const seen = await askAtRate(origin, mix.next, { perSecond: Number(values.rate), milliseconds: 60_000 })
    const row = [
      String(minute),
      String(seen.answered),
      ...[seen.p50, seen.p99].map(figure),
      String(seen.refused + seen.errors),
      figure(residentMb(program.pid)),
      figure(residentMb(program.workerPid)),
    ]
    rows.push(row)
    console.log(`minute ${row.join('  ')}${seen.firstError === undefined ? '' : `  ${seen.firstError}`}`)
  }
  clearInterval(sampling)
  const published = await publisher.stop()
  report.heading(`${minutes} minutes at ${values.rate} a second beside ${values.streams} idle streams`)
  report.table(['minute', 'answers', 'p50 ms', 'p99 ms', 'failed', 'site MB', 'worker MB'], rows)
  report.line(
    `${published} entities drafted and published on chain meanwhile; ${streams.open()} streams still open`,
  )
  for (const [part, all] of Object.entries(samples)) {
    const counted = all.filter((sample) => sample.seconds >= minutes * 60 * WARM_UP)
    report.line(
      `${part}: ${figure(counted[0]!.mb)} MB after warming up, ${figure(counted.at(-1)!.mb)} MB at the end, ${slopePerHour(counted).toFixed(1)} MB an hour by least squares over ${counted.length} samples`,
    )
  }
  streams.close()
} finally {
  await stage.close()
}
