import { readFile } from 'node:fs/promises'
import { expect, inject, test } from 'vitest'
import { readMidi } from '#test/support/read-midi.ts'
import { expectPlayInFirstWindow, sitePages } from '#test/support/site-pages.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site)

test('the address of a connector holds its turned knobs, and a copied link turns them', async () => {
  const page = await open('/connectors/motif', { permissions: ['clipboard-read', 'clipboard-write'] })
  const live = page.getByRole('region', { name: 'motif, live' })
  const knob = live.getByRole('slider', { name: 'first skip', exact: true })
  await knob.press('ArrowRight')
  const turned = await knob.inputValue()
  expect(turned).not.toBe('2')
  await page.waitForURL((url) => url.searchParams.get('knob') === `first skip:${turned}`)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('Copied with your numbers.').waitFor()
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()))
  expect(link.searchParams.getAll('knob')).toEqual([`first skip:${turned}`])

  const reader = await open(`${link.pathname}${link.search}&knob=no+such:3&knob=second+skip:999999999`)
  const same = reader.getByRole('region', { name: 'motif, live' })
  await expect
    .poll(() => same.getByRole('slider', { name: 'first skip', exact: true }).inputValue())
    .toBe(turned)
  await expect
    .poll(() => same.getByRole('slider', { name: 'second skip', exact: true }).inputValue())
    .toBe('1')
  // What the address cannot turn is not kept in it.
  await reader.waitForURL((url) => url.searchParams.getAll('knob').join() === `first skip:${turned}`)
})

test('MIDI, sound and one file are named beside a piece, and have its knobs as they are turned', async () => {
  const page = await open('/connectors/motif')
  const knob = page.getByRole('slider', { name: 'first skip', exact: true })
  await knob.waitFor()
  await page.getByText(/^Take it with you MIDI, sound,( picture,)? one file$/).click()
  const save = async (name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name, exact: true }).click(),
    ])
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
  }
  const midi = await save('MIDI')
  expect(midi.name).toBe('motif.mid')
  const notesOf = (bytes: Buffer) =>
    readMidi(bytes).tracks.flatMap(({ notes }) => notes.map(({ note }) => note))
  const before = notesOf(midi.bytes)
  expect(before.length).toBeGreaterThan(8)
  await knob.press('ArrowRight')
  await expect.poll(async () => notesOf((await save('MIDI')).bytes)).not.toEqual(before)
  const sound = await save('Sound (WAV)')
  expect(sound.name).toBe('motif.wav')
  expect(sound.bytes.subarray(0, 4).toString()).toBe('RIFF')
  const file = page.getByRole('link', { name: 'One file (HTML)' })
  expect(await file.getAttribute('download')).toBe('motif.html')
  await page.getByText(/content id \w+$/).waitFor()
})

test('the page of a piece has one way to remix it, which takes its turned knobs along', async () => {
  const page = await open('/connectors/motif')
  const knob = page.getByRole('slider', { name: 'first skip', exact: true })
  await knob.press('ArrowRight')
  const turned = await knob.inputValue()
  expect(turned).not.toBe('2')
  const remix = page.getByRole('main').getByText('Remix', { exact: true })
  expect(await remix.count()).toBe(1)
  await remix.click()
  await expect.poll(() => page.getByLabel('Name of this piece').inputValue()).toMatch(/^motif_/)
  await expect.poll(() => knob.inputValue()).toBe(turned)
})

test('a piece that has no like says no number', async () => {
  const page = await open('/connectors/motif')
  expect(await page.getByRole('button', { name: /^Like/ }).getAttribute('aria-label')).toBe('Like')
  expect(await page.getByRole('button', { name: /^Like/ }).getByText('0', { exact: true }).isVisible()).toBe(
    false,
  )
})

test.each(['/connectors/weave', '/connectors/nocturne', '/run/weave?count=64'])(
  'Play of %s is in the first window',
  async (path) => {
    await expectPlayInFirstWindow(await open(path, { viewport: { width: 1280, height: 720 } }))
  },
)
