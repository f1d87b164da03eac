import type { Page } from 'playwright'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { PreviewAnswer, PreviewRequest } from '#lib/server/operations/studio/preview-schemas.ts'
import { testBrowser } from '#test/support/browser.ts'
import { unfold } from '#test/support/studio.ts'
import { type ComponentSite, startComponentSite } from '../component-site.ts'
import type { PanelPage, Shown } from './panel-page.ts'

/* The results panel in a real browser, and what it is shown. */

export const MANY = 65_536
export const MAX = 4_294_967_295
export const NOTHING_ASKED: Shown['explanation'] = {
  phase: 'idle',
  question: undefined,
  sinceMs: 0,
  message: '',
  answer: undefined,
  lastGood: undefined,
}

let site: ComponentSite
/** A new one in each test. */
export let page: Page

/** Opens the panel for each test of a file. */
export function openPanel(): void {
  const browser = testBrowser()
  beforeAll(async () => {
    site = await startComponentSite({ pages: { '/': 'results/panel-page' } })
  })
  afterAll(() => site?.close())
  beforeEach(async () => {
    await page?.context().close()
    page = await (await browser().newContext({ viewport: { width: 900, height: 900 } })).newPage()
    await page.goto(site.origin)
  })
}

export function asked(particles_count: number): PreviewRequest {
  return {
    connectors: [],
    bodies: [],
    connector_name: 'Song',
    particles_count,
    dynamic_ri: {},
  }
}

export type Result = PreviewAnswer['result']

export function particles(...streams: (readonly [string, number[]])[]): Result {
  return { outcome: 'particles', particles: streams.map(([path, data]) => ({ path, data })) }
}

/** A run that is over, with what was last good before it. */
export function done(result: Result, good?: Result): Shown {
  const answered = (given: Result, question: PreviewRequest) => ({
    question,
    answer: { result: given, bodies: [], timings: { compile_ms: 0, build_ms: 0, run_ms: 0 } },
    tookMs: 12,
  })
  const question = asked(8)
  const answer = answered(result, question)
  const lastGood = result.outcome === 'particles' ? answer : good && answered(good, asked(4))
  const run = { phase: 'done' as const, question, sinceMs: 0, message: '', answer, lastGood }
  return { run, blocked: undefined, explanation: NOTHING_ASKED }
}

export function view(name: string) {
  return page.getByRole('tablist', { name: 'Show as' }).getByRole('tab', { name, exact: true }).click()
}

export function calls() {
  return page.evaluate(() => (window as unknown as PanelPage).calls)
}

/** Opens what is folded away below the picture. */
export async function openDetails(): Promise<void> {
  await unfold(page.getByRole('button', { name: 'Details', exact: true }))
}

/** Shows a state. The panel compares questions by identity, which does not survive serialisation to the page. */
export function show(shown: Shown) {
  return page.evaluate((given) => {
    const { run } = given
    const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
    const answer =
      run.answer && run.question && same(run.answer.question, run.question)
        ? { ...run.answer, question: run.question }
        : run.answer
    const own =
      run.lastGood && run.question && same(run.lastGood.question, run.question)
        ? { ...run.lastGood, question: run.question }
        : run.lastGood
    const lastGood = own && answer && same(own, answer) ? answer : own
    const panel = window as unknown as PanelPage
    panel.show({ ...given, run: { ...run, answer, lastGood } })
  }, shown)
}

export const SMALL = particles(
  ['/Song:0', [64, 2, 3, 4, 5, 6, 7, 8]],
  ['/Song:1', [0, MAX, 9, 9, 9, 9, 9, 9]],
)

export const WAVES = particles(
  ['/Song:0', Array.from({ length: 3000 }, (_, step) => 500 + Math.round(400 * Math.sin(step / 90)))],
  [
    '/Song:1/A_rather_long_name_of_a_connector:0',
    Array.from({ length: 3000 }, (_, step) => (step * 7919) % 1000),
  ],
)

/** Number of colours of a PNG, and how many of its pixels are one of the picture that is shown. */
export function coloursOf(png: Buffer): Promise<{ readonly seen: number; readonly scale: number }> {
  return page.evaluate(async (base64) => {
    const image = new Image()
    image.src = `data:image/png;base64,${base64}`
    await image.decode()
    const { width, height } = image
    const canvas = Object.assign(document.createElement('canvas'), { width, height })
    const context = canvas.getContext('2d')!
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(0, 0, width, height)
    const box = document.querySelector('[role=tabpanel] canvas')!.clientWidth
    return { seen: new Set(new Uint32Array(data.buffer)).size, scale: width / box }
  }, png.toString('base64'))
}
