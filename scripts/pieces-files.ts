import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Page } from 'playwright'
import { launchBrowser, WITHOUT_GPU } from './browser/launch.ts'
import { examplePieces } from './example-network/network.ts'

/*
 * Opens the file of one piece for each World of the example network from a disk, without a network, and measures it.
 *
 *   npm run pieces:files -- http://localhost:3000   writes the table of docs/site/keep-a-piece.md
 */

const PAGE = fileURLToPath(new URL('../docs/site/keep-a-piece.md', import.meta.url))
const HEAD = '| piece | World | file | values and World | first sound |'
/** Each is opened so often, and the median counts. */
const TIMES = 3
const TIMEOUT_MS = 120_000

interface Times {
  /** Milliseconds from the opening of the file until its values are there and its World is ready. */
  readonly opened: number
  /** Milliseconds from the press on Play to the first sample that is not silent. */
  readonly sound: number
}

const site = process.argv[2]
if (site === undefined) throw new Error('Name a site with the example network: http://localhost:3000')
const folder = mkdtempSync(join(tmpdir(), 'weft-files-'))
const browser = await launchBrowser(WITHOUT_GPU)
const page = await (await browser.newContext({ offline: true })).newPage()
await page.addInitScript(listen)
try {
  const byWorld = new Map(examplePieces.map((piece) => [piece.present.world, piece]))
  const rows: string[][] = []
  for (const [world, { name, title }] of byWorld) {
    const response = await fetch(`${site}/connectors/${name}/piece.html`)
    if (!response.ok) throw new Error(`${name}: ${response.status}`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const path = join(folder, `${name}.html`)
    writeFileSync(path, bytes)
    const times: Times[] = []
    for (let time = 0; time < TIMES; time++) times.push(await open(page, path))
    const middle = (key: keyof Times) =>
      Math.round(times.map((each) => each[key]).toSorted((a, b) => a - b)[TIMES >> 1] ?? 0)
    const kilobytes = Math.round(bytes.byteLength / 1000)
    rows.push([title, world, `${kilobytes} kB`, `${middle('opened')} ms`, `${middle('sound')} ms`])
  }
  writeTable(rows)
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}

async function open(page: Page, path: string): Promise<Times> {
  const begun = performance.now()
  await page.goto(pathToFileURL(path).href)
  await page.locator('iframe[data-ready]').waitFor({ timeout: TIMEOUT_MS })
  await page.waitForFunction(() => document.querySelector('.values')?.textContent)
  const opened = performance.now() - begun
  await page.locator('.bar button').click()
  const sound = await page.waitForFunction(() => (globalThis as { heardAfter?: number }).heardAfter, null, {
    timeout: TIMEOUT_MS,
  })
  return { opened, sound: (await sound.jsonValue()) ?? 0 }
}

/** Runs in the page: records the time from a press to the first sample at the speakers that is not silent. */
function listen(): void {
  const own = globalThis as { heardAfter?: number }
  const { connect } = AudioNode.prototype
  let pressed = 0
  addEventListener(
    'click',
    () => {
      pressed = performance.now()
    },
    true,
  )
  AudioNode.prototype.connect = function (this: AudioNode, ...to: Parameters<typeof connect>) {
    const [target] = to as unknown as [AudioNode]
    if (target === this.context.destination) {
      const analyser = this.context.createAnalyser()
      const samples = new Float32Array(analyser.fftSize)
      connect.call(this, analyser as never)
      const look = setInterval(() => {
        analyser.getFloatTimeDomainData(samples)
        if (!samples.some((each) => Math.abs(each) > 1e-4)) return
        own.heardAfter = performance.now() - pressed
        clearInterval(look)
      }, 2)
    }
    return connect.apply(this, to)
  } as typeof connect
}

/** Replaces the table of the page. */
function writeTable(rows: readonly (readonly string[])[]): void {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const table = [HEAD, '| --- | --- | --- | --- | --- |', ...rows.map(row)].join('\n')
  const page = readFileSync(PAGE, 'utf8')
  const at = page.indexOf(HEAD)
  writeFileSync(PAGE, page.slice(0, at) + table + page.slice(page.indexOf('\n\n', at)))
  console.log(`${table}\n\n${cpus().length} cores, ${cpus()[0]?.model}, Chromium ${browser.version()}`)
}
