import { expect, test } from 'vitest'
import { unpackDraft } from '#lib/studio/keep/link.ts'
import { expectAccessible } from '#test/support/site-pages.ts'
import { codeEntry, connectorEntry, dimension, documentOf } from '../../../studio/document/entries.ts'
import {
  blankPage,
  callAt,
  entry,
  heard,
  hold,
  number,
  openNumbers,
  origin,
  page,
  reopen,
} from './numbers-driver.ts'

/* Numbers, knobs and the picker in a real browser. */

openNumbers()

test('a number is dragged: picture and sound follow while it is held, and it is one step of undo', async () => {
  const by = number('Number 1 of cycle')
  await hold(by, 20)
  await expect.poll(() => by.inputValue()).toBe('8')
  await expect.poll(heard).toEqual([0, 8, 0, 8])
  // A rest longer than typing may pause.
  await page.waitForTimeout(1200)
  await page.keyboard.down('Shift')
  const box = (await by.boundingBox())!
  await page.mouse.move(box.x + box.width / 2 + 24, box.y + 4)
  await page.keyboard.up('Shift')
  await page.mouse.up()
  await expect.poll(() => by.inputValue()).toBe('18')
  await page.evaluate(() => globalThis.store.undo())
  await expect.poll(() => by.inputValue()).toBe('3')
  expect(await page.evaluate(() => globalThis.store.getState().undoLabel)).toBeUndefined()

  await hold(by, 40)
  await expect.poll(() => by.inputValue()).toBe('13')
  await page.keyboard.press('Escape')
  await expect.poll(() => by.inputValue()).toBe('3')
  await page.mouse.up()
  await expect.poll(() => by.inputValue()).toBe('3')
})

test('a number is stepped, typed and reset by the keyboard alone, and says what it is', async () => {
  const places = number('Number 2 of cycle')
  await places.focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Shift+ArrowUp')
  await expect.poll(() => places.inputValue()).toBe('27')
  await expect.poll(() => places.getAttribute('aria-valuenow')).toBe('27')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('8')
  await expect.poll(heard).toEqual([0, 3, 6, 1])
  await page.keyboard.press('Alt+Enter')
  await page.getByRole('menuitem', { name: 'Explain' }).click()
  await page.getByText('“places” of cycle. Steps around a ring and begins again at 0.').waitFor()
  await page.getByRole('menuitem', { name: 'Reset to 16' }).click()
  await expect.poll(() => places.inputValue()).toBe('16')
  await expect.poll(() => places.evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.type('x')
  await page.getByText('Number 2: “x” is not a whole number. Type one from 0').waitFor()
})

test('starts and shifts are held like arguments: dragged, stepped, reset, and made knobs', async () => {
  // The score leaves out what skipping would not change.
  await page.getByRole('button', { name: 'List', exact: true }).click()
  const start = number('Start of voice 1')
  await hold(start, 20)
  await page.mouse.up()
  await expect.poll(() => start.inputValue()).toBe('5')
  await expect.poll(heard).toEqual([5, 8, 11, 14])
  await start.press('Shift+ArrowUp')
  await expect.poll(() => start.inputValue()).toBe('15')
  const shift = number('Steps that voice 1 skips at first')
  await shift.press('ArrowUp')
  await expect.poll(() => shift.inputValue()).toBe('1')
  await start.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Make it a knob' }).click()
  const slider = page.getByRole('region', { name: 'Knobs' }).getByRole('slider')
  await slider.press('ArrowRight')
  await expect.poll(() => start.inputValue()).toBe('16')
})

test('a touch drags a number, and a tap types in it', async () => {
  await reopen({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const by = number('Number 1 of cycle')
  const box = (await by.boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', to = x) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: to, y }],
    })
  await touch('touchStart')
  for (let moved = 5; moved <= 60; moved += 5) await touch('touchMove', x + moved)
  await touch('touchEnd')
  await expect.poll(async () => Number(await by.inputValue())).toBeGreaterThan(10)
  // Sooner, the browser takes it for the second of a double tap.
  await page.waitForTimeout(700)
  await by.tap()
  await expect.poll(() => by.evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.type('7')
  await expect.poll(() => by.inputValue()).toBe('7')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(page)
})

test('a number becomes a knob: named, ranged, turned, thrown, and gone again', async () => {
  const by = number('Number 1 of cycle')
  await by.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Make it a knob' }).click()
  const knobs = page.getByRole('region', { name: 'Result' }).getByRole('region', { name: 'Knobs' })
  const slider = knobs.getByRole('slider', { name: 'cycle step' })
  expect([await slider.getAttribute('min'), await slider.getAttribute('max')]).toEqual(['0', '24'])
  await slider.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => by.inputValue()).toBe('5')
  await expect.poll(heard).toEqual([0, 5, 10, 15])

  await knobs.getByRole('button', { name: 'Settings of cycle step' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('speed')
  await page.getByLabel('From', { exact: true }).fill('2')
  await page.getByLabel('To', { exact: true }).fill('2')
  await page.getByText('The range needs two whole numbers').waitFor()
  await page.getByLabel('To', { exact: true }).fill('4')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect
    .poll(async () => (await entry()).knobs)
    .toEqual([{ name: 'speed', target: { kind: 'call', callId: 'c', index: 0 }, min: 2, max: 4 }])
  const thrown = new Set<string>()
  for (let turn = 0; turn < 100 && thrown.size < 3; turn++) {
    await knobs.getByRole('button', { name: 'Throw the dice' }).click()
    thrown.add(await by.inputValue())
  }
  expect([...thrown].sort()).toEqual(['2', '3', '4'])
  // In the range of its knob, however far it is dragged.
  await hold(by, 400)
  await page.mouse.up()
  await expect.poll(() => by.inputValue()).toBe('4')

  await by.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Remove its knob' }).click()
  await knobs.waitFor({ state: 'detached' })
  expect((await entry()).knobs).toBeUndefined()
})

test('a function is found by what it does, with its picture at the first opening, by the keyboard', async () => {
  await page.getByRole('treegrid').getByRole('row').nth(1).focus()
  await page.keyboard.press('a')
  const list = page.getByRole('listbox', { name: 'Functions' })
  await list.waitFor()
  await expect.poll(() => list.locator('svg[data-drawn=true]').count()).toBeGreaterThanOrEqual(24)
  for (const [words, name] of [
    ['random walk', 'random_walk(stride, top)'],
    ['scale to octave', 'to_octave(low)'],
    ['wrap', 'cycle(step, places)'],
    ['bounce', 'bounce_between(step, low, high)'],
  ] as const) {
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(words)
    await expect.poll(() => list.getByRole('option').first().textContent()).toContain(name)
  }
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await list.waitFor({ state: 'detached' })
  await expect.poll(() => callAt(1)).toMatchObject({ name: 'bounce_between', args: ['1', '0', '24'] })
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Number 1 of bounce_between')
  // The network has it: nothing was added to the document.
  await expect.poll(() => page.evaluate(() => globalThis.store.getState().document.entries.length)).toBe(1)
  // Slow typing makes several steps.
  await expect
    .poll(async () => {
      await page.evaluate(() => globalThis.store.undo())
      return callAt(1)
    })
    .toMatchObject({ name: '', args: [] })
})

test('a published one replaces a call, and a name that is free becomes a new one', async () => {
  const name = page.getByLabel('What step 1 does')
  await name.click()
  const list = page.getByRole('listbox', { name: 'Functions' })
  const other = list.getByRole('option', { name: /^wobble/ })
  await expect.poll(() => other.textContent()).toContain('by 0x')
  await other.click()
  await expect.poll(() => callAt(0)).toMatchObject({ name: 'wobble', args: ['3'] })
  await name.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('my_own')
  await list.getByRole('option', { name: /^New: my_own/ }).waitFor()
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.evaluate(() => globalThis.store.getState().document.entries.map((each) => each.name)))
    .toEqual(['tune', 'my_own'])
})

test('a name that is being typed is no name yet: nothing complains, and Escape brings back the one before', async () => {
  const name = page.getByLabel('What step 1 does')
  await name.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('nobody_has_this')
  await page.getByRole('option', { name: /^New: nobody_has_this/ }).waitFor()
  expect(await callAt(0)).toMatchObject({ name: 'cycle', args: ['3', '16'] })
  await expect.poll(heard).toEqual([0, 3, 6, 9])
  await page.keyboard.press('Escape')
  await expect.poll(() => name.inputValue()).toBe('cycle')
  await page.keyboard.press('Escape')
  expect(await callAt(0)).toMatchObject({ name: 'cycle' })

  // Left, it is taken as it stands.
  await name.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('nobody_has_this')
  await page.keyboard.press('Tab')
  await expect.poll(() => callAt(0)).toMatchObject({ name: 'nobody_has_this' })
})

test('a run that stops says so in the line where it does, and what to do', async () => {
  const fall = connectorEntry(
    'fall',
    'fall',
    [dimension('d', { calls: [{ id: 'c', name: 'sink', args: ['9'] }] })],
    { staticRi: [{ position: 1, startPoint: '20', transformationShift: '0' }] },
  )
  const sink = codeEntry('s', 'sink', 'return x < args[0] ? x - args[0] : x - args[0] % 10;')
  await reopen({ viewport: { width: 1280, height: 720 } }, documentOf(fall, sink))
  const row = page.getByRole('row', { name: /^step/ })
  await row.getByText(/^At step \d it gets 2, and the result is below 0 or above/).waitFor()
  await page.getByRole('button', { name: 'Show where' }).click()
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await expect.poll(focused).toMatch(/^step/)
  await expectAccessible(page)
  await number('Number 1 of sink').fill('0')
  await expect.poll(heard).toEqual([20, 20, 20, 20])
  await row.getByText('the result is below 0').waitFor({ state: 'detached' })
})

test('knobs of the parts are shown with those of the whole, in the colours of what they turn', async () => {
  const knob = (name: string, callId: string) => ({
    ...{ name, min: 0, max: 24 },
    target: { kind: 'call' as const, callId, index: 0 },
  })
  const voice = connectorEntry(
    'voice',
    'voice',
    [dimension('v', { calls: [{ id: 'vc', name: 'cycle', args: ['5', '16'] }] })],
    { knobs: [knob('voice step', 'vc')] },
  )
  const song = connectorEntry(
    'song',
    'song',
    [
      dimension('a', { calls: [{ id: 'ac', name: 'cycle', args: ['1', '16'] }] }),
      dimension('b', { calls: [{ id: 'bc', name: 'cycle', args: ['1', '16'] }], composite: 'voice' }),
    ],
    { knobs: [knob('song step', 'ac')] },
  )
  await reopen({ viewport: { width: 1280, height: 720 } }, documentOf(song, voice))
  const sliders = page.getByRole('region', { name: 'Knobs' }).getByRole('slider')
  const colors = () =>
    sliders.evaluateAll((each) =>
      each.map((slider) => (slider as HTMLElement).style.getPropertyValue('--color-accent')),
    )
  await expect.poll(colors).toEqual(['var(--color-indigo)', 'var(--color-madder)'])
  const line = page.locator('[data-knob-line]')
  await expect.poll(() => line.first().evaluate((each) => each.style.background)).toBe('var(--color-indigo)')
  await page.getByRole('slider', { name: 'voice step' }).press('ArrowRight')
  await expect.poll(() => page.evaluate(() => globalThis.heard()[1]?.slice(0, 3))).toEqual([0, 6, 12])
})

test('a controller of a MIDI device is learnt by a knob and turns it', async () => {
  // No machine of the tests has a device.
  await page.evaluate(() => {
    const input = { onmidimessage: undefined as ((event: unknown) => void) | undefined }
    const access = { inputs: new Map([['in', input]]), outputs: new Map() }
    Object.assign(navigator, { requestMIDIAccess: async () => access })
    Object.assign(globalThis, {
      turn: (controller: number, value: number) =>
        input.onmidimessage?.({ data: new Uint8Array([0xb0, controller, value]) }),
    })
  })
  const turn = (controller: number, value: number) =>
    page.evaluate(
      ([which, to]) => (globalThis as unknown as { turn: (...args: number[]) => void }).turn(which!, to!),
      [controller, value],
    )
  const by = number('Number 1 of cycle')
  await by.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Make it a knob' }).click()
  await page.getByRole('button', { name: 'Settings of cycle step' }).click()
  await page.getByRole('button', { name: 'Learn from MIDI' }).click()
  await page.getByText('Move a controller, and it turns this knob.').waitFor()
  await turn(21, 127)
  await page.getByText('Turned by controller 21.').waitFor()
  await expect.poll(() => by.inputValue()).toBe('24')
  await turn(22, 0)
  await turn(21, 64)
  await expect.poll(() => by.inputValue()).toBe('12')
  await expect.poll(heard).toEqual([0, 12, 8, 4])
  // However far it is turned, it is one step of undo.
  await page.evaluate(() => globalThis.store.undo())
  await expect.poll(() => by.inputValue()).toBe('3')
})

test('a public page plays what is published, and keeps it as a draft with as many knobs after the dice', async () => {
  await page.goto(`${origin()}/live`)
  const live = page.getByRole('region', { name: 'ladder, live' })
  const play = live.getByRole('button', { name: 'Play', exact: true })
  await expect.poll(() => play.isEnabled()).toBe(true)
  await expect.poll(() => play.getAttribute('title')).toBe('Play ladder')
  await expect.poll(heard).toEqual([0, 3, 6, 9])
  // The page may scroll by the space bar.
  await page.keyboard.press('Space')
  await expect.poll(() => play.isVisible()).toBe(true)
  await play.click()
  await live.getByRole('button', { name: 'Stop', exact: true }).waitFor()
  const position = live.getByRole('slider', { name: 'Position' })
  await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(1)

  const knobs = live.getByRole('region', { name: 'Knobs' })
  const by = knobs.getByRole('slider', { name: 'cycle step' })
  await by.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(heard).toEqual([0, 4, 8, 12])
  const thrown = new Set<string>()
  for (let turn = 0; turn < 100 && thrown.size < 2; turn++) {
    await knobs.getByRole('button', { name: 'Throw the dice' }).click()
    thrown.add(await by.inputValue())
  }
  expect(thrown.size).toBeGreaterThan(1)
  expect(await knobs.getByText('no number').count()).toBe(0)
  await expect.poll(() => live.getByRole('button', { name: 'Stop', exact: true }).isVisible()).toBe(true)
  await expectAccessible(page)

  const value = Number(await by.inputValue())
  await live.getByRole('button', { name: 'Remix' }).click()
  await expect.poll(() => page.evaluate(() => document.body.dataset.kept)).toMatch(/^\/studio#draft=/)
  const kept = await page.evaluate(() => document.body.dataset.kept ?? '')
  const read = await unpackDraft(kept.slice('/studio#draft='.length))
  if (!read.ok) throw new Error(read.problems.join())
  expect(read.document.entries).toMatchObject([
    {
      name: 'ladder',
      dimensions: [{ calls: [{ name: 'cycle', args: [String(value), expect.any(String)] }] }, {}],
      madeFrom: { name: 'ladder' },
      knobs: [{ name: 'cycle step' }, { name: 'add step' }, { name: 'start 1' }],
    },
  ])
})

test('a World draws what a public page plays; where there is none or it fails, the plots do', async () => {
  const openLive = async (world: string) => {
    await blankPage({ viewport: { width: 1280, height: 720 } })
    await page.clock.install()
    await page.goto(`${origin()}/live#${world}`)
    await expect.poll(heard).toEqual([0, 3, 6, 9])
  }
  const plots = () => page.getByRole('region', { name: 'ladder, live' }).locator('canvas').first()
  await openLive('dots')
  const drawn = page.frameLocator('iframe[title=dots]').locator('body')
  await expect.poll(() => drawn.textContent()).toContain('ladder [0,3,6]')
  await page.getByRole('slider', { name: 'cycle step' }).press('ArrowRight')
  await expect.poll(() => drawn.textContent()).toContain('ladder [0,4,8]')
  await page.getByRole('button', { name: 'Remix' }).click()
  await expect.poll(() => page.evaluate(() => document.body.dataset.kept)).toMatch(/^\/studio#draft=/)

  await openLive('silent')
  await page.locator('[data-phase=running]').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.clock.fastForward(11_000)
  await page.getByText('The World silent does not work now.').waitFor()
  await plots().waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  await expect.poll(() => page.getByRole('button', { name: 'Stop', exact: true }).isVisible()).toBe(true)

  await openLive('nowhere')
  await plots().waitFor()
})

test('a World that the site does not send at once follows, and has what its piece chose for its slots', async () => {
  await blankPage({ viewport: { width: 1280, height: 720 } })
  let refusals = 0
  await page.route('**/worlds/gallery/plugins?*', (route) => {
    refusals += 1
    return refusals > 2 ? route.continue() : route.fulfill({ status: 503, body: 'The database is away' })
  })
  await page.clock.install()
  await page.goto(`${origin()}/live#piece`)
  await page.getByText('The site does not send the World of this piece at the moment').waitFor()
  // Not once it has begun: the page gives a World some seconds to answer.
  await expect
    .poll(async () => {
      const begun = await page.locator('iframe').count()
      if (begun === 0) await page.clock.runFor(1_000)
      return begun
    })
    .toBe(1)
  const drawn = page.frameLocator('iframe[title=pairs]').locator('body')
  await expect.poll(() => drawn.textContent()).toBe('one ladder [0,3,6], two ladder [0,3,6]')
  expect(await page.getByText('The site does not send').count()).toBe(0)
})

test('another site plays a run in a frame, by messages', async () => {
  // Another name of the same machine is another site.
  const framed = new URL('/live#run', origin())
  const elsewhere = new URL(origin())
  elsewhere.hostname = framed.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  await page.goto(elsewhere.href)
  await page.evaluate((src) => {
    const frame = document.createElement('iframe')
    const states: unknown[] = []
    addEventListener('message', ({ source, data }) => {
      if (source === frame.contentWindow) states.push(data)
    })
    Object.assign(globalThis, {
      states,
      send: (message: unknown) => frame.contentWindow?.postMessage(message, '*'),
    })
    frame.src = src
    frame.allow = 'autoplay'
    // A player that is out of sight is not loaded.
    frame.style.cssText = 'position: fixed; inset: 0; width: 640px; height: 420px; z-index: 99'
    document.body.append(frame)
  }, framed.href)
  const send = (message: unknown) =>
    page.evaluate(
      (sent) => (globalThis as unknown as { send: (message: unknown) => void }).send(sent),
      message,
    )
  const last = () => page.evaluate(() => (globalThis as unknown as { states: unknown[] }).states.at(-1))
  const count = () => page.evaluate(() => (globalThis as unknown as { states: unknown[] }).states.length)
  await expect
    .poll(last)
    .toEqual({ weft: 1, type: 'state', name: 'ladder', ready: true, playing: false, step: 0, steps: 8 })
  const frame = page.frameLocator('iframe')
  // What it plays is the run, and it offers nothing that would change it.
  expect(await frame.getByRole('button', { name: 'Remix' }).count()).toBe(0)
  const before = await count()
  for (const strange of [null, 'play', { type: 'play' }, { weft: 2, type: 'play' }, { weft: 1, type: 'x' }])
    await send(strange)
  await send({ weft: 1, type: 'state' })
  await expect.poll(count).toBe(before + 1)
  expect(await last()).toMatchObject({ playing: false })
  await send({ weft: 1, type: 'play' })
  await expect.poll(last).toMatchObject({ playing: true })
  await send({ weft: 1, type: 'stop' })
  await expect.poll(last).toMatchObject({ playing: false })
})
