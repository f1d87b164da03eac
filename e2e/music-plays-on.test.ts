import type { Page } from 'playwright'
import { expect, inject, test } from 'vitest'
import { everything, importDocument, openPlan, plan, signIn, uniqueName } from '#test/support/publication.ts'
import { provoked } from '#test/support/publication-desk.ts'
import { sitePages } from '#test/support/site-pages.ts'
import { type Gaps, gaps, measureGaps, meterSpeakers } from '#test/support/speakers.ts'

/* Music in the studio plays on through all that happens around it, measured in the samples that reach the speakers. */

const { site } = inject('endpoints')
const { open } = sitePages(site)

/** A gap that is heard. */
const MAX_GAP_SECONDS = 0.02

/** Two connectors of the same two sustained voices, whose notes overlap. */
function sustained(unique: string): string {
  const voice = (id: string, by: string) => ({
    id,
    calls: [
      { id: `${id}up`, name: `climb_${unique}`, args: [by] },
      { id: `${id}more`, name: `climb_${unique}`, args: ['2'] },
    ],
    composite: '',
    bindings: [],
  })
  const connector = (id: string, name: string, by: string) => ({
    ...{ kind: 'connector', id, name: `${name}_${unique}`, condition: null, staticRi: [] },
    dimensions: [voice(`${id}0`, by), voice(`${id}1`, '1')],
    sound: {
      ...{ bpm: 120, stepsPerBeat: 4, loop: true },
      paths: ['0', '1'].map((path) => ({ path, instrument: 'pad', level: 100, room: 60 })),
    },
  })
  const source = 'return (x + args[0]) % 12;'
  const document = {
    places: [],
    entries: [
      connector('c', 'drone', '1'),
      connector('o', 'other', '5'),
      { kind: 'transformation', id: 't', name: `climb_${unique}`, source },
    ],
  }
  const view = { tabs: [{ kind: 'entry', entryId: 'c' }], active: 'entry/c' }
  return JSON.stringify({ weft: 'studio', version: 1, document, view })
}

/** Measures while something happens, and for a second after it. */
async function during(page: Page, happens: () => Promise<unknown>): Promise<Gaps> {
  await measureGaps(page)
  await happens()
  const measured = await gaps(page, 1)
  expect(measured.longest).toBeLessThanOrEqual(MAX_GAP_SECONDS)
  // Else the device was at rest, and no gap could be heard.
  expect(measured.states.filter((state) => state !== 'running')).toEqual([])
  await expect.poll(() => page.getByRole('button', { name: 'Stop', exact: true }).count()).toBe(1)
  return measured
}

test('music plays through sign-in, publication, another entry and a lost network, without a gap of 20 ms', async () => {
  const page = await open('/studio', {
    provoked: [...provoked, 'ERR_INTERNET_DISCONNECTED', 'ERR_NETWORK_CHANGED'],
    before: meterSpeakers,
  })
  const unique = uniqueName()
  await importDocument(page, sustained(unique))
  const play = page.getByRole('button', { name: 'Play', exact: true })
  await expect.poll(() => play.isEnabled()).toBe(true)
  await play.click()
  const stop = page.getByRole('button', { name: 'Stop', exact: true })
  await stop.waitFor()
  await page.waitForFunction(() => 'gaps' in window)
  // The first notes swell.
  await gaps(page, 2)
  await during(page, async () => {})

  await during(page, async () => {
    await openPlan(page)
    await signIn(page, 'Throwaway wallet')
  })
  await during(page, async () => {
    await plan(page).getByRole('button', { name: 'Publish now' }).click()
    await everything(page)
  })
  await during(page, async () => {
    await page
      .getByRole('button', { name: new RegExp(`^other_${unique}`) })
      .first()
      .click()
    await page
      .getByRole('spinbutton', { name: /^Number 1 of / })
      .first()
      .waitFor()
  })
  await during(page, async () => {
    await page.context().setOffline(true)
    const argument = page.getByRole('spinbutton', { name: /^Number 1 of / }).first()
    await argument.fill('7')
    await argument.press('Enter')
    await gaps(page, 2)
    await page.context().setOffline(false)
  })

  // The meter finds the gap where there is silence.
  await stop.click()
  await play.waitFor()
  await measureGaps(page)
  expect((await gaps(page, 1)).longest).toBeGreaterThan(MAX_GAP_SECONDS)
})
