import postgres from 'postgres'
import type { BenchProgram } from '../network/program.ts'
import { ms } from '../support/format.ts'
import { httpClient } from '../support/http-client.ts'
import { median, percentile } from '../support/measure.ts'
import type { Options, Report } from '../support/report.ts'

const PIECES = 10_000
const AUTHORS = 1_000
/** Names of the pieces that are there for the measurement only. */
const PREFIX = 'bench_wall_'
const REQUESTS_A_ROUND = 20

const PATHS = [
  '/discover',
  '/discover?time=week',
  '/discover?of=remixed',
  '/discover?after=10.4000.0.0',
  '/discover/tiles?after=5.4000.0.0',
]

/** Time of the page of the wall, and of its later pages, in a network of 10,000 pieces. */
export async function wall(report: Report, program: BenchProgram, { rounds }: Options): Promise<void> {
  report.heading(`The wall of ${PIECES.toLocaleString('en-US')} pieces, whole request`)
  const sql = postgres(program.databaseUrl, { max: 1, onnotice: () => {} })
  const client = httpClient(program.endpoints.site.replace('localhost', '127.0.0.1'))
  try {
    await sql`
      insert into entities (kind, name, owner, address, content_hash, metadata_hash, title, block_number, block_hash,
        tx_hash, tx_index, log_index)
      select 'connector', ${PREFIX}::text || place, '0x' || lpad(to_hex(place % ${AUTHORS}), 40, 'b'), '0x', '0x', '0x',
        'Piece ' || place, place, '0x', '0x', 0, 0
      from generate_series(1, ${PIECES}::int) place`
    await sql`analyze entities, wall_places`
    const rows: string[][] = []
    let worst = 0
    for (const path of PATHS) {
      const taken: number[] = []
      for (let turn = 0; turn < (rounds + 1) * REQUESTS_A_ROUND; turn++) {
        const begun = performance.now()
        const { status } = await client.request('GET', path)
        if (status !== 200) throw new Error(`${path}: ${status}`)
        // The first round warms up.
        if (turn >= REQUESTS_A_ROUND) taken.push(performance.now() - begun)
      }
      worst = Math.max(worst, median(taken))
      rows.push([path, ms(median(taken)), ms(percentile(taken, 0.95))])
    }
    report.table(['path', 'p50', 'p95'], rows)
    report.goal('wall', worst, `slowest of ${PATHS.length} addresses`)
  } finally {
    await sql`delete from entities where name like ${`${PREFIX}%`}`
    client.close()
    await sql.end()
  }
}
