import postgres from 'postgres'
import { launchBrowser, WITHOUT_GPU } from '#scripts/browser/launch.ts'
import type { BenchProgram } from '../network/program.ts'
import { ms } from '../support/format.ts'
import { httpClient } from '../support/http-client.ts'
import { median, percentile } from '../support/measure.ts'
import type { Options, Report } from '../support/report.ts'

const SIZES = [10_000, 100_000] as const
const AUTHORS = 1_000
/** Names of the pieces that are there for the measurement only. */
const PREFIX = 'bench_wall_'
const REQUESTS_A_ROUND = 20
const FRAMES = 600
const PIXELS_A_FRAME = 40

const PATHS = [
  '/discover',
  '/discover?time=week',
  '/discover?of=remixed',
  '/discover?after=10.4000.0.0',
  '/discover/tiles?after=5.4000.0.0',
]

/** Time of the page of the wall, and of its later pages, in networks of 10,000 and 100,000 pieces. */
export async function wall(report: Report, program: BenchProgram, { rounds }: Options): Promise<void> {
  const client = httpClient(program.endpoints.site.replace('localhost', '127.0.0.1'))
  try {
    for (const size of SIZES) {
      report.heading(`The wall of ${counted(size)} pieces, whole request`)
      await withPieces(program, size, async () => {
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
        const goal = size === SIZES[0] ? 'wall' : 'largeWall'
        report.goal(goal, worst, `slowest of ${PATHS.length} addresses`)
      })
    }
  } finally {
    client.close()
  }
}

/** Frames while a wall of 10,000 pieces, all of them loaded, is scrolled under the pointer, and the Worlds alive meanwhile. */
export async function wallScroll(report: Report, program: BenchProgram): Promise<void> {
  const [size] = SIZES
  report.heading(`Scrolling a wall of ${counted(size)} pieces`)
  await withPieces(program, size, async () => {
    const browser = await launchBrowser(WITHOUT_GPU)
    try {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      await page.goto(`${program.endpoints.site}/discover`)
      const shown = () => page.locator('[data-piece]').count()
      const presses: number[] = []
      while (await page.locator('a[rel=next]').isVisible()) presses.push(await page.evaluate(more))
      const [early, late] = [presses.slice(0, 20), presses.slice(-20)].map(median)
      report.line(`More pieces: ${ms(early!)} a press at the start, ${ms(late!)} at the end.`)
      await page.mouse.move(720, 450)
      const rows: string[][] = []
      let [worst, alive] = [0, 0]
      for (const part of [0, 0.5, 0.9]) {
        // At first the site draws the pictures on the processor that the browser needs; a visitor's has its own.
        for (const pictures of ['drawn meanwhile', 'there']) {
          const { frames, worlds } = await page.evaluate(scrolled, [part, FRAMES, PIXELS_A_FRAME] as const)
          const total = frames.reduce((sum, each) => sum + each, 0)
          if (pictures === 'there') worst = Math.max(worst, percentile(frames, 0.95))
          alive = Math.max(alive, worlds)
          rows.push([
            `from ${Math.round(part * 100)} % on`,
            pictures,
            ((frames.length * 1000) / total).toFixed(1),
            ms(median(frames)),
            ms(percentile(frames, 0.95)),
            ms(Math.max(...frames)),
            String(worlds),
          ])
        }
      }
      report.line(`${counted(await shown())} tiles, ${PIXELS_A_FRAME} pixels a frame, ${FRAMES} frames each.`)
      report.table(['part', 'pictures', 'frames a second', 'p50', 'p95', 'longest', 'Worlds alive'], rows)
      report.goal('wallScroll', worst, 'slowest of 3 parts, pictures there')
      report.goal('wallWorlds', alive, 'most at a time while it scrolls')
    } finally {
      await browser.close()
    }
  })
}

/** Runs in the page: milliseconds from a press of the link to more of the wall to the frame that shows it. */
async function more() {
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const tiles = document.getElementsByTagName('li')
  const before = tiles.length
  const begun = performance.now()
  document.querySelector<HTMLElement>('a[rel=next]')?.click()
  while (tiles.length === before && document.querySelector('a[rel=next]') !== null) {
    await frame()
    if (performance.now() - begun > 60_000) throw new Error('The wall loads no more pieces')
  }
  await frame()
  return performance.now() - begun
}

/** Runs in the page: milliseconds of each frame, and the most Worlds that were there at once. */
async function scrolled([part, count, pixels]: readonly [number, number, number]) {
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  scrollTo({ top: part * document.documentElement.scrollHeight, behavior: 'instant' })
  for (let settled = 0; settled < 60; settled++) await frame()
  const frames: number[] = []
  // A live collection: a query in each frame would walk over all tiles.
  const worldFrames = document.querySelector('main')!.getElementsByTagName('iframe')
  let worlds = 0
  let before = await frame()
  while (frames.length < count) {
    scrollBy({ top: pixels, behavior: 'instant' })
    const now = await frame()
    frames.push(now - before)
    before = now
    worlds = Math.max(worlds, worldFrames.length)
  }
  return { frames, worlds }
}

/** With so many pieces more, copies of those of the example network by many authors. */
async function withPieces(
  { databaseUrl }: BenchProgram,
  count: number,
  measure: () => Promise<void>,
): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    await sql`
      with originals as (
        select *, row_number() over (order by name) - 1 as place, count(*) over () as amount
        from entities where kind = 'connector' and presentation is not null
      )
      insert into entities (kind, name, owner, address, content_hash, metadata_hash, title, presentation, block_number,
        block_hash, tx_hash, tx_index, log_index)
      select 'connector', ${PREFIX}::text || n, '0x' || lpad(to_hex(n % ${AUTHORS}), 40, 'b'), o.address, o.content_hash,
        '0x', 'Piece ' || n, o.presentation, n, '0x', '0x', 0, 0
      from generate_series(1, ${count}::int) n join originals o on o.place = n % o.amount`
    await sql`analyze entities, wall_places`
    await measure()
  } finally {
    await sql`delete from entities where name like ${`${PREFIX}%`}`
    await sql.end()
  }
}

function counted(count: number): string {
  return count.toLocaleString('en-US')
}
