import { readFileSync } from 'node:fs'
import type { CDPSession, Page } from 'playwright'
import { launchBrowser, WITHOUT_GPU } from '#scripts/browser/launch.ts'
import type { BenchProgram } from '../network/program.ts'
import { figure, ms } from '../support/format.ts'
import type { Report } from '../support/report.ts'
import { openSong, SONG } from '../support/studio-song.ts'

const EDITS_A_SECOND = 4
const VIEWS = ['Piano roll', 'Heat map', 'Table', 'Lines'] as const
const UNDONE = 5

/** Reports of a page's audio thread to `listen` since the last look. */
interface Heard {
  readonly steps: number
  /** Blocks of 128 frames that are missing in the recording. */
  readonly lostBlocks: number
  readonly longestSilenceMs: number
  /** Largest distance of any step since the first from where the first step and the tempo have it. */
  readonly driftMs: number
  /** Lead of the audio clock over the page's, less than zero: behind. */
  readonly clockMs: number
}

/**
 * Plays and edits eight paths of 1,024 particles in the built studio: memory after collection, gaps, and drift.
 *
 * @param minutes Of playing.
 */
export async function studioSoak(
  report: Report,
  { endpoints }: BenchProgram,
  minutes: number,
): Promise<void> {
  report.heading('Soak of the studio')
  const browser = await launchBrowser([...WITHOUT_GPU, '--js-flags=--expose-gc'])
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await context.addInitScript(listen)
    const page = await context.newPage()
    await openSong(page, endpoints.site)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
    const session = await context.newCDPSession(page)
    const renderers = async () => {
      const whole = await browser.newBrowserCDPSession()
      const { processInfo } = await whole.send('SystemInfo.getProcessInfo')
      await whole.detach()
      return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentMb(id))
    }
    // Code and pictures of every view are loaded before the first look.
    await edit(page, 10)
    const rows: string[][] = []
    const heaps: number[] = []
    const look = async (minute: number) => {
      await Promise.all(page.workers().map((worker) => worker.evaluate('gc()')))
      const { heapMb, nodes, listeners } = await memoryOf(session)
      const heard = await heardOf(page)
      heaps.push(heapMb)
      rows.push([
        figure(minute),
        figure(heard.steps),
        `${heard.lostBlocks}`,
        ms(heard.longestSilenceMs),
        ms(heard.driftMs),
        ms(heard.clockMs),
        `${figure(heapMb)} MB`,
        figure(nodes),
        figure(listeners),
        `${figure(Math.max(...(await renderers())))} MB`,
      ])
      return heard
    }
    await look(0)
    const parts = Math.max(3, Math.min(30, Math.round(minutes)))
    let drift = 0
    for (let part = 1; part <= parts; part++) {
      await edit(page, (minutes * 60) / parts)
      drift = (await look((part * minutes) / parts)).driftMs
    }
    report.table(
      ['minutes', 'steps', 'lost', 'silence', 'drift', 'clock', 'heap', 'nodes', 'listeners', 'process'],
      rows,
    )
    report.line(
      `${figure(minutes)} minutes of ${SONG.paths} paths with ${SONG.particles} particles, ${EDITS_A_SECOND} edits a second.`,
    )
    report.goal('soakDrift', drift, `every step of ${figure(minutes)} minutes against the first`)
    const third = heaps[Math.ceil(parts / 3)]!
    report.goal(
      'soakHeap',
      heaps.at(-1)! / third,
      `${figure(third)} MB and ${figure(heaps.at(-1)!)} MB after collection; undo is full by then`,
    )
  } finally {
    await browser.close()
  }
}

/** Edits arguments in turn, each a step of undo; then takes some back and goes through the views. */
async function edit(page: Page, seconds: number): Promise<void> {
  await page.evaluate(
    async ([forMs, everyMs]) => {
      const setText = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!
      const until = performance.now() + forMs
      for (let count = 0; performance.now() < until; count++) {
        const fields = document.querySelectorAll<HTMLInputElement>(
          'input[aria-label^="Number 1 of climb_by"]',
        )
        const field = fields[count % fields.length]!
        setText.call(field, String(1 + Math.floor(Math.random() * 97)))
        field.dispatchEvent(new Event('input', { bubbles: true }))
        await new Promise((resolve) => setTimeout(resolve, everyMs))
      }
    },
    [seconds * 1000, 1000 / EDITS_A_SECOND] as const,
  )
  for (let undone = 0; undone < UNDONE; undone++) await page.keyboard.press('ControlOrMeta+z')
  for (const view of VIEWS) await page.getByRole('tab', { name: view, exact: true }).click()
}

async function memoryOf(session: CDPSession) {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
  return { heapMb: usedSize / 1e6, nodes, listeners: jsEventListeners }
}

/** MB of memory that a process holds; not known everywhere. */
function residentMb(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) / 1024
}

function heardOf(page: Page): Promise<Heard> {
  return page.evaluate(() => (window as unknown as { heard(): Heard }).heard())
}

/** Runs in the page before its own scripts: analyses what goes to the speakers, and the steps of the synthesiser. */
function listen(): void {
  const RECORDER = `registerProcessor('recorder', class extends AudioWorkletProcessor {
    process([input]) {
      const loud = (input[0] ?? []).some((sample) => Math.abs(sample) > 1e-4)
      this.port.postMessage({ frame: currentFrame, loud })
      return true
    }
  })`
  const BLOCK = 128
  let rate = 48_000
  let frame: number | undefined
  let first: { readonly atSeconds: number; readonly offsetMs: number } | undefined
  let count = 0
  let silent = 0
  let part = { steps: 0, lostBlocks: 0, silent: 0, offsetMs: Number.POSITIVE_INFINITY }
  let driftMs = 0
  const connect = AudioNode.prototype.connect
  AudioNode.prototype.connect = function (this: AudioNode, ...args: unknown[]) {
    const { context } = this
    if (context instanceof AudioContext && this instanceof AudioWorkletNode && this.numberOfInputs === 0) {
      this.port.addEventListener('message', ({ data }: MessageEvent) => {
        if (data.kind !== 'step') return
        const offsetMs = performance.now() - data.atSeconds * 1000
        first ??= { atSeconds: data.atSeconds, offsetMs: Number.POSITIVE_INFINITY }
        const due = first.atSeconds + count * data.stepSeconds
        driftMs = Math.max(driftMs, Math.abs(data.atSeconds - due) * 1000)
        part.offsetMs = Math.min(part.offsetMs, offsetMs)
        count += 1
        part.steps += 1
      })
    }
    if (context instanceof AudioContext && args[0] instanceof AudioDestinationNode) {
      rate = context.sampleRate
      const url = URL.createObjectURL(new Blob([RECORDER], { type: 'text/javascript' }))
      void context.audioWorklet.addModule(url).then(() => {
        const node = new AudioWorkletNode(context, 'recorder', { numberOfOutputs: 0 })
        node.port.onmessage = ({ data }: MessageEvent<{ frame: number; loud: boolean }>) => {
          if (frame !== undefined) part.lostBlocks += (data.frame - frame) / BLOCK - 1
          frame = data.frame
          silent = data.loud ? 0 : silent + BLOCK
          part.silent = Math.max(part.silent, silent)
        }
        Reflect.apply(connect, this, [node])
      })
    }
    return Reflect.apply(connect, this, args)
  } as typeof connect
  Object.assign(window, {
    heard: (): Heard => {
      const { steps, lostBlocks, offsetMs } = part
      if (first?.offsetMs === Number.POSITIVE_INFINITY) first = { ...first, offsetMs }
      const found = {
        steps,
        lostBlocks,
        longestSilenceMs: (part.silent / rate) * 1000,
        driftMs: Math.round(driftMs * 1000) / 1000,
        // The least delay of a message is that of the clocks.
        clockMs: (first?.offsetMs ?? 0) - offsetMs,
      }
      part = { steps: 0, lostBlocks: 0, silent: 0, offsetMs: Number.POSITIVE_INFINITY }
      return found
    },
  })
}
