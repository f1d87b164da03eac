import { describe, expect, test } from 'vitest'
import type { ExplainAnswer } from '#lib/server/operations/studio/preview-schemas.ts'
import { violationsOf } from '#test/support/axe.ts'
import {
  asked,
  calls,
  done,
  MANY,
  NOTHING_ASKED,
  openDetails,
  openPanel,
  page,
  particles,
  SMALL,
  show,
  view,
  WAVES,
} from './panel-driver.ts'

openPanel()

describe('pictures of particles', () => {
  test('have text alternatives', async () => {
    await show(done(SMALL))
    await page.getByRole('img', { name: '/Song:0: 8 values, 8 of them different: from 2' }).waitFor()
    await page.getByRole('img', { name: /\/Song:1: .* to 4,294,967,295 \(step 1\)/ }).waitFor()
    // Said, not shown: that all is well is seen in the picture.
    const said = page.getByText('2 voices, 8 steps each', { exact: true })
    await expect.poll(async () => (await said.boundingBox())?.height).toBe(1)
    expect(await page.getByText(/ms\b/).count()).toBe(0)
    await openDetails()
    await page.getByText('Took 12 ms.').waitFor()
  })

  test('have a colour each, also with reduced motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await show(done(SMALL))
    await openDetails()
    await page.getByLabel('Together').check()
    await page.getByRole('img', { name: /^2 voices in one picture/ }).waitFor()
    const picture = page.getByRole('tabpanel').locator('canvas')
    const dyes = await picture.evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
      const opaque = new Set<string>()
      for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3] === 255) opaque.add(data.slice(at, at + 3).join(' '))
      }
      return [...opaque]
    })
    expect(dyes).toEqual(expect.arrayContaining(['52 80 180', '179 40 63']))
  })

  test('of heat have more than one hue', async () => {
    await show(done(particles(['/Song:0', Array.from({ length: 256 }, (_, step) => step)])))
    await view('Heat map')
    const picture = page.getByRole('tabpanel').locator('canvas')
    const hues = () =>
      picture.evaluate((canvas: HTMLCanvasElement) => {
        const { width, height } = canvas
        const { data } = canvas.getContext('2d')!.getImageData(0, Math.round(height / 2), width, 1)
        const seen = { red: 0, yellow: 0 }
        for (let at = 0; at < data.length; at += 4) {
          const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!]
          if (red - blue > 80 && green - blue > 60) seen.yellow += 1
          else if (red - green > 80) seen.red += 1
        }
        return seen
      })
    await expect.poll(async () => (await hues()).red).toBeGreaterThan(5)
    await expect.poll(async () => (await hues()).yellow).toBeGreaterThan(5)
  })

  test.each(['Lines', 'Table', 'Heat map'])(
    'as %s are no wider than a narrow pane, and cut no name off',
    async (kind) => {
      await page.setViewportSize({ width: 360, height: 700 })
      const name = '/a_counterpoint_of_two_players:0'
      await show(done(particles([name, [1, 2, 3, 4]], [name.replace('0', '1'), [4, 3, 2, 1]])))
      await view(kind)
      const cut = () =>
        page.evaluate(() => {
          const wide = (element: Element) => element.scrollWidth > element.clientWidth + 1
          const names = [...document.querySelectorAll('[role=tabpanel] *')].filter(
            (each) =>
              /counterpoint|step \d/.test(each.textContent ?? '') &&
              getComputedStyle(each).textOverflow === 'ellipsis',
          )
          return [document.documentElement, ...names]
            .filter(wide)
            .map(({ outerHTML }) => outerHTML.slice(0, 200))
        })
      await expect.poll(cut).toEqual([])
    },
  )

  test('of 65,536 particles are on the page with a table of few rows', async () => {
    const data = Array.from({ length: MANY }, (_, step) => (step * 2_654_435_761) % 2 ** 32)
    await show(done(particles(['/Song:0', data])))
    await page.getByRole('img', { name: /65,536 values/ }).waitFor()
    await view('Table')
    const table = page.getByRole('table')
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(MANY + 1))
    expect(await table.getByRole('row').count()).toBeLessThan(60)
    await openDetails()
    await page.getByLabel('Step, as a number').fill('65535')
    await table.getByRole('rowheader', { name: '65,535' }).waitFor()
    const last = data.at(-1)!.toLocaleString('en-US')
    await table.getByRole('cell', { name: last }).waitFor()
    await page.getByRole('button', { name: `Why is this ${last}?` }).waitFor()
  })

  test('follow the keyboard, and explain the step it is at', async () => {
    await show(done(SMALL))
    await openDetails()
    await page.getByRole('button', { name: 'Why is this 64?' }).click()
    await page.getByRole('slider', { name: 'Step in Lines' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('button', { name: 'Why is this 2?' }).waitFor()
    await expect.poll(calls).toEqual([
      ['explain', { path: '/Song:0', step: 0 }],
      ['explain', undefined],
      ['explain', { path: '/Song:0', step: 1 }],
    ])
  })

  test('show the chain of values that made a particle', async () => {
    await show(done(SMALL))
    await openDetails()
    await page.getByRole('button', { name: 'Why is this 64?' }).click()
    await page.getByText('Following the values…').waitFor()
    const { particles_count: _count, ...rest } = asked(8)
    const question = { ...rest, path: '/Song:0', step: 0 }
    const dimension = { position: 1, connector: 'Song', dimension: 0, path: '/Song:0' }
    const answer: ExplainAnswer = {
      outcome: 'explained',
      start: { index: 34, source: 'caller' },
      index: 34,
      value: 64,
      dimensions: [
        {
          ...dimension,
          leads_to: '',
          running_instance: { start_point: 30, transformation_shift: 0, source: 'connector' },
          index: 34,
          steps: [
            { number: 33, call: 0, transformation: 'plus', args: [1], before: 62, after: 63 },
            { number: 34, call: 0, transformation: 'plus', args: [1], before: 63, after: 64 },
          ],
          value: 64,
        },
      ],
    }
    const answered = { question, answer, tookMs: 3 }
    await show({
      ...done(SMALL),
      explanation: { ...NOTHING_ASKED, phase: 'done', question, answer: answered, lastGood: answered },
    })
    await page.getByText('Step 0 of the run + start 34 (set for this run) asks the first voice').waitFor()
    const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem')
    await expect
      .poll(() => steps.allTextContents())
      .toEqual(['… 32 steps before, then', '62', '→ plus(1) = 63', '→ plus(1) = 64'])
    await page.getByText('So the number is 64.').waitFor()
  })

  test('compare with a pinned run', async () => {
    await show(done(SMALL))
    await openDetails()
    await page.getByRole('button', { name: 'Pin to compare' }).click()
    await page.getByText('This run is pinned').waitFor()
    await show(done(particles(['/Song:0', [64, 2, 3, 4, 5, 6, 7, 80]])))
    await page.getByText('1 of 1 voice differs, first at step 7; 1 voice gone.').waitFor()
    await page.getByText('Differs at 1 step, first at 7, by up to 72.').waitFor()
  })

  test('stay as an earlier version while the newest is rejected, which is explained at its node', async () => {
    const place = {
      kind: 'step' as const,
      path: '/Song:0',
      position: 1,
      connector: 'Song',
      dimension: 0,
      call: 0,
      transformation: 'minus',
      args: [5],
      step: 3,
      x: 2,
    }
    const rejection = { name: 'Panic', message: 'Arithmetic overflow or underflow' }
    await show(done({ outcome: 'rejected', rejection, place }, SMALL))
    await page.getByText('A number gets too small or too large').waitFor()
    await page.getByText('At step 3 minus gets 2, and the result is below 0').waitFor()
    await page.getByText('Voice 1 of Song stops at its step 3: minus(5) refuses 2.').waitFor()
    await page.getByText('What you see is an earlier version').waitFor()
    await page.getByRole('img', { name: /Song:0/ }).waitFor()
    await page.getByRole('button', { name: 'Show where' }).click()
    await expect.poll(calls).toEqual([['show', place]])
  })

  test('a long run can be cancelled, also with the keyboard', async () => {
    const { run } = done(SMALL)
    await show({
      run: { ...run, phase: 'running', question: asked(MANY), sinceMs: -1000 },
      blocked: undefined,
      explanation: NOTHING_ASKED,
    })
    await page.getByText('Running…').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).press('Enter')
    await expect.poll(calls).toEqual([['cancel']])
  })
})

describe('a loop that does not end', () => {
  const ADVICE = 'A loop in spin may not end: check what makes it stop.'
  const question = {
    ...asked(8),
    bodies: [
      { kind: 'transformation', name: 'spin', sol_src: 'while (x < 9) { x ^= 1; } return x;' },
      { kind: 'transformation', name: 'lift', sol_src: '// for now\nreturn x + 1;' },
    ],
  } as const
  const { run } = done(SMALL)

  test('is suspected by its name after two seconds, while it can be cancelled', async () => {
    // The page has only just begun.
    const running = (sinceMs: number) =>
      show({
        run: { ...run, phase: 'running', question: { ...question, bodies: [...question.bodies] }, sinceMs },
        blocked: undefined,
        explanation: NOTHING_ASKED,
      })
    await running(60_000)
    await page.getByText('2 voices, 8 steps each').waitFor()
    expect(await page.getByText(ADVICE).count()).toBe(0)
    await running(-2000)
    await page.getByText(ADVICE).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).waitFor()
  })

  test('is what a run that took too long is about, and no advice for anything else', async () => {
    const rejection = {
      name: 'Limit',
      message: 'it took longer than the limit of 5000 ms; ask for fewer particles or smaller indices',
    }
    const stopped = done({ outcome: 'rejected', rejection, place: null }, SMALL)
    const withLoop = { ...question, bodies: [...question.bodies] }
    const answer = stopped.run.answer && { ...stopped.run.answer, question: withLoop }
    await show({ ...stopped, run: { ...stopped.run, question: withLoop, answer } })
    await page.getByText('The run does not come to an end').waitFor()
    await page.getByText(ADVICE).waitFor()
    expect(await page.getByText(/particles or smaller|Fewer steps/).count()).toBe(0)
    // Without a loop the limit is what it is about.
    await show(done({ outcome: 'rejected', rejection, place: null }, SMALL))
    await page.getByText('Fewer steps may stay below it.').waitFor()
  })
})

test('it is accessible in every view, and as wide as a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await show(done(SMALL))
  await openDetails()
  await page.getByRole('button', { name: 'Pin to compare' }).click()
  await show(done(WAVES))
  for (const [shown, colorScheme] of [
    ...['Lines', 'Piano roll', 'Heat map', 'Table'].map((each) => [each, 'light'] as const),
    ...['Lines', 'Table'].map((each) => [each, 'dark'] as const),
  ]) {
    await page.emulateMedia({ colorScheme })
    await view(shown)
    const rules = { 'page-has-heading-one': { enabled: false } }
    expect(await violationsOf(page, { rules }), `${shown}, ${colorScheme}`).toEqual([])
    const beyond = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return scrollWidth - clientWidth
    })
    expect(beyond, shown).toBeLessThanOrEqual(0)
    if (shown !== 'Table') continue
    const table = page.getByRole('region', { name: 'Numbers by step and voice' })
    const [inner, outer] = [await table.boundingBox(), await page.getByRole('tabpanel').first().boundingBox()]
    expect(inner!.width).toBeLessThanOrEqual(outer!.width)
    // Paths are told apart by what follows the connector that all of them begin with.
    expect(await table.getByRole('columnheader').allTextContents()).toEqual(['step', '0', '…a_connector:0'])
  }
})
