/**
 * Draws fifty pictures of connectors of a site from their numbers on one sheet, on a light and on a dark ground, to be looked
 * at: `npm run pictures:sheet -- http://localhost:4380 sheet.png`.
 */
import { drawPicture } from '#lib/compute/pictures/draw.ts'
import { DRAWN } from '#lib/compute/pictures/scene.ts'
import { launchBrowser, WITHOUT_GPU } from './browser/launch.ts'

const COUNT = 50
const GROUNDS = ['#ffffff', '#101014']

const [site = 'http://localhost:4380', file = 'sheet.png'] = process.argv.slice(2)
const tiles: string[] = []
for (const name of await namesOf()) {
  const streams = await streamsOf(name)
  if (streams === undefined || tiles.length === COUNT) continue
  const figure = { kind: 'threads', streams } as const
  const png = await drawPicture({ size: 'tile', title: '', caption: '', seed: `connector ${name}`, figure })
  tiles.push(`<img src="data:image/png;base64,${Buffer.from(png).toString('base64')}">`)
}
const browser = await launchBrowser(WITHOUT_GPU)
const page = await browser.newPage({ viewport: { width: 2000, height: 1000 } })
const grid = 'padding:16px;display:grid;grid-template-columns:repeat(10,1fr);gap:12px'
const sheets = GROUNDS.map((ground) => `<div style="background:${ground};${grid}">${tiles.join('')}</div>`)
await page.setContent(`<style>img{width:100%;border-radius:6px}</style>${sheets.join('')}`)
await page.screenshot({ path: file, fullPage: true })
await browser.close()
console.log(`${file}: ${tiles.length} pictures on each ground`)

/** The newest connectors of the site. */
async function namesOf(): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for (let before: string | null = ''; before !== null; ) {
    const { items, cursor } = await read(`/chain/feed?limit=50&type=connector_added${before}`)
    for (const { payload } of items) names.add(payload.name)
    before = cursor.next_before && names.size < 2 * COUNT ? `&before=${cursor.next_before}` : null
  }
  return names
}

/** Values of a connector; undefined where its run is refused. */
async function streamsOf(name: string): Promise<number[][] | undefined> {
  const body = JSON.stringify({ connector_name: name, particles_count: DRAWN.steps })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${site}/chain/simulate`, { method: 'POST', headers, body })
  if (!response.ok) return undefined
  return ((await response.json()) as { data: number[] }[]).map(({ data }) => data)
}

async function read(path: string) {
  return (await fetch(site + path)).json() as Promise<{
    items: { payload: { name: string } }[]
    cursor: { next_before: string | null }
  }>
}
