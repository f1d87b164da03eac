/**
 * What a page of every list costs as a network grows, in pages of the database and in milliseconds:
 * `npm run bench:pages`, with `-- 1000 100000 --server <url>` for other sizes, and
 * for databases that are kept on a PostgreSQL of yours for the next time.
 */
import { parseArgs } from 'node:util'
import { figure } from '../support/format.ts'
import { median } from '../support/measure.ts'
import { createReport, machine } from '../support/report.ts'
import { openDatabases } from './databases.ts'
import { contextOf, LIST_READS, type ListRead } from './lists.ts'
import { marksOf } from './marks.ts'
import { watch } from './plans.ts'

const SIZES = [1_000, 100_000, 1_000_000]
const ROUNDS = 5
/** Trees of indexes grow by a level or two from the smallest to the largest network. */
const FLAT = 4
/** Rows of a list may be in as many places as there are rows; in a small network they are close together. */
const SMALL = 40

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { server: { type: 'string' }, only: { type: 'string' } },
})
const sizes = positionals.length > 0 ? positionals.map(Number) : SIZES
const reads = LIST_READS.filter(({ name }) => values.only === undefined || name.includes(values.only))
const report = createReport((text) => console.log(text))

interface Cost {
  readonly pages: number
  readonly milliseconds: number
}

const costs = new Map<ListRead, Cost[]>(reads.map((read) => [read, []]))
const databases = await openDatabases(values.server, (text) => report.line(text))
report.line(machine())
try {
  for (const entities of sizes) await measure(await databases.filled(entities))
  report.table(
    ['list', ...sizes.flatMap((size) => [`pages at ${size.toLocaleString('en-US')}`, 'ms']), 'flat'],
    reads.map((read) => {
      const all = costs.get(read)!
      const flat = all.at(-1)!.pages <= FLAT * Math.max(SMALL, all[0]!.pages)
      return [
        read.name,
        ...all.flatMap(({ pages, milliseconds }) => [figure(pages), figure(milliseconds)]),
        flat ? 'yes' : read.looksAt === undefined ? 'NO' : `bounded: ${read.looksAt.because}`,
      ]
    }),
  )
} finally {
  await databases.close()
}

async function measure(url: string): Promise<void> {
  const watched = watch(url)
  try {
    const marks = await marksOf(watched.ctx.db.sql)
    for (const read of reads) {
      const rounds: Cost[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const statements = await watched.costsOf((ctx) => read.read(contextOf(ctx), marks))
        rounds.push({
          pages: statements.reduce((sum, { pages }) => sum + pages, 0),
          milliseconds: statements.reduce((sum, each) => sum + each.milliseconds, 0),
        })
      }
      costs.get(read)!.push({
        pages: median(rounds.map(({ pages }) => pages)),
        milliseconds: median(rounds.map(({ milliseconds }) => milliseconds)),
      })
    }
  } finally {
    await watched.close()
  }
}
