import { describe, expect, test } from 'vitest'
import { violationsOf } from '#test/support/axe.ts'
import { FAST, load, openTransport, page, play, playhead, SONG, steps, stop } from './transport-driver.ts'
import type { TransportPage } from './transport-page.ts'

openTransport()

describe('the transport', () => {
  test('opens no audio before a press, plays in a loop, and stops only when told', async () => {
    await expect.poll(() => play().isDisabled()).toBe(true)
    await load('song', SONG, FAST)
    expect(await page.evaluate(() => (window as unknown as TransportPage).contexts.length)).toBe(0)
    await play().click()
    await stop().waitFor()
    await expect.poll(async () => (await steps()).length).toBeGreaterThan(40)
    // Every step in its order, round and round.
    const seen = await steps()
    expect(seen.slice(0, 40)).toEqual(Array.from({ length: 40 }, (_, index) => index % 16))
    await expect.poll(playhead).toMatchObject({ playing: true, key: 'entry/song' })
    await stop().click()
    const after = (await steps()).length
    await page.waitForTimeout(300)
    expect((await steps()).length - after).toBeLessThanOrEqual(1)
    await expect.poll(playhead).toMatchObject({ playing: false })
  })

  test('ends by itself only where the loop is off', async () => {
    await load('song', SONG, { ...FAST, loop: false })
    await play().click()
    await play().waitFor()
    expect(await steps()).toEqual(Array.from({ length: 16 }, (_, index) => index))
    await expect.poll(playhead).toMatchObject({ playing: false, step: 0 })
  })

  test('goes on through edits, another tempo and another connector, on the beat', async () => {
    await load('song', SONG, FAST)
    await play().click()
    await stop().waitFor()
    for (let edit = 0; edit < 20; edit++) {
      await load('song', [{ path: '/song:0', data: SONG[0]!.data.map((value) => value + edit) }], FAST)
      await page.waitForTimeout(13)
    }
    const beforeSwitch = (await steps()).length
    await load('other', SONG, { ...FAST, bpm: 200 })
    await expect.poll(async () => (await playhead()).key).toBe('entry/other')
    await expect.poll(async () => (await steps()).length).toBeGreaterThan(beforeSwitch + 20)
    const seen = await steps()
    expect(seen).toEqual(seen.map((_, index) => index % 16))
    // 200 beats a minute: steps of 75 ms by the audio clock, whenever the page was told.
    const times = await page.evaluate(() =>
      (window as unknown as TransportPage).steps.slice(-8).map(({ stepMs }) => stepMs),
    )
    expect(times).toEqual(Array(8).fill(75))
  })

  test('is played by the space bar, except where it is typed', async () => {
    await load('song', SONG, FAST)
    await page.getByLabel('Text').press(' ')
    await expect.poll(() => page.getByLabel('Text').inputValue()).toBe(' ')
    await play().waitFor()
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press(' ')
    await stop().waitFor()
    // On the button itself the key is the button's own: once, not twice.
    await stop().press(' ')
    await play().waitFor()
  })

  test('takes its tempo from typing, keys and dragging, and its position from the slider', async () => {
    await load('song', SONG)
    const tempo = page.getByRole('spinbutton', { name: /Tempo/ })
    await tempo.fill('120')
    await tempo.press('Enter')
    await tempo.press('ArrowUp')
    await tempo.press('Shift+ArrowDown')
    await expect.poll(() => tempo.inputValue()).toBe('111')
    await tempo.fill('9999')
    await tempo.blur()
    await expect.poll(() => tempo.inputValue()).toBe('111')
    const box = (await tempo.boundingBox())!
    await page.mouse.move(box.x + 20, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(box.x + 20, box.y - 50, { steps: 6 })
    await page.mouse.up()
    await expect.poll(() => tempo.inputValue()).toBe('131')
    await expect
      .poll(() => page.evaluate(() => (window as unknown as TransportPage).sounds.song?.bpm))
      .toBe(131)
    const position = page.getByRole('slider', { name: 'Position' })
    await position.press('End')
    await expect.poll(async () => (await playhead()).step).toBe(15)
    await position.press('ArrowLeft')
    await expect.poll(() => position.getAttribute('aria-valuetext')).toBe('Step 14 of 15')
  })

  test('is as loud as its volume, which edits leave alone, and goes round only with its loop', async () => {
    await load('song', SONG, FAST)
    await play().click()
    const loudest = async () => {
      await page.evaluate(() => (window as unknown as TransportPage).record())
      await page.waitForTimeout(500)
      const { samples } = await page.evaluate(async () => {
        const { samples } = await (window as unknown as TransportPage).recorded()
        return { samples: samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0) }
      })
      return samples
    }
    await expect.poll(loudest).toBeGreaterThan(0.02)
    const volume = page.getByRole('slider', { name: 'Volume' })
    await volume.fill('0')
    await expect.poll(loudest).toBeLessThan(0.001)
    await load('song', SONG.slice(0, 1), FAST)
    expect(await loudest()).toBeLessThan(0.001)
    await volume.fill('100')
    await expect.poll(loudest).toBeGreaterThan(0.02)
    const crowd = Array.from({ length: 12 }, (_, path) => ({ path: `/song:${path}`, data: [1, 1, 1, 1] }))
    const drums = crowd.map((_, path) => ({ path: String(path), instrument: 'kick' as const }))
    await load('song', crowd, { ...FAST, paths: drums })
    let peak = 0
    await expect.poll(async () => (peak = await loudest())).toBeGreaterThan(0.7)
    // The limiter's ceiling, with what a resampler adds.
    expect(peak).toBeLessThan(0.92)
    await page.getByRole('button', { name: 'Loop' }).click()
    await play().waitFor()
    await expect
      .poll(() => page.evaluate(() => (window as unknown as TransportPage).sounds.song?.loop))
      .toBe(false)
  })

  test('switches paths and changes instruments, range and scale by keyboard', async () => {
    await load('song', SONG, FAST)
    await page.getByRole('button', { name: /, voice 2$/ }).press('Enter')
    await page.getByRole('button', { name: /^Sound/ }).press('Enter')
    await page.getByLabel('Instrument of voice 1').selectOption({ label: 'Bell' })
    await page.getByLabel('Lowest octave of voice 1').selectOption('5')
    await page.getByLabel('Scale of voice 1').selectOption({ label: 'blues' })
    await page.getByLabel('Key', { exact: true }).selectOption({ label: 'G' })
    await expect
      .poll(() => page.evaluate(() => (window as unknown as TransportPage).sounds.song))
      .toEqual({
        ...FAST,
        root: 7,
        paths: [
          { path: '1', muted: true },
          { path: '0', instrument: 'bell', octave: 5, scale: 'blues' },
        ],
      })
    await page.keyboard.press('Escape')
    await page.getByLabel('Instrument of voice 1').waitFor({ state: 'detached' })
  })
})

describe('MIDI devices', () => {
  test('get a clock of 24 a beat, and their controllers reach the page', async () => {
    // No machine of the tests has a device: this one notes what it is sent.
    await page.evaluate(() => {
      const sent: [number, number][] = []
      const input = { onmidimessage: undefined as ((event: unknown) => void) | undefined }
      const output = {
        ...{ id: 'drums', name: 'Drum machine', state: 'connected' },
        send: ([byte]: number[], at = performance.now()) => sent.push([byte!, at]),
      }
      const access = { inputs: new Map([['in', input]]), outputs: new Map([['drums', output]]) }
      Object.assign(navigator, { requestMIDIAccess: async () => access })
      Object.assign(window, { sent, input })
    })
    await load('song', SONG, { bpm: 120, stepsPerBeat: 4 })
    await page.getByRole('button', { name: /^Sound/ }).click()
    await page.getByRole('button', { name: 'Use MIDI devices' }).click()
    await page.getByLabel('Send MIDI clock to').selectOption({ label: 'Drum machine' })
    await page.keyboard.press('Escape')
    await play().click()
    const sent = () => page.evaluate(() => (window as unknown as { sent: [number, number][] }).sent)
    // Enough that a step that comes late on a busy machine changes little of the mean.
    await expect.poll(async () => (await sent()).length).toBeGreaterThan(400)
    await stop().click()
    await expect.poll(async () => (await sent()).at(-1)?.[0]).toBe(0xfc)
    const [first, ...rest] = await sent()
    expect(first?.[0]).toBe(0xfa)
    const clocks = rest.filter(([byte]) => byte === 0xf8).map(([, at]) => at)
    expect(clocks.length).toBeGreaterThan(390)
    // 120 beats a minute are 48 clocks a second.
    const gap = (clocks.at(-1)! - clocks[0]!) / (clocks.length - 1)
    expect(gap).toBeGreaterThan(20.0)
    expect(gap).toBeLessThan(21.7)

    const moved = await page.evaluate(() => {
      const { onMidiControl, input } = window as unknown as TransportPage & {
        input: { onmidimessage: (event: unknown) => void }
      }
      const seen: number[][] = []
      const off = onMidiControl((controller, value) => seen.push([controller, value]))
      input.onmidimessage({ data: new Uint8Array([0xb3, 7, 99]) })
      input.onmidimessage({ data: new Uint8Array([0x90, 60, 99]) })
      off()
      input.onmidimessage({ data: new Uint8Array([0xb3, 7, 1]) })
      return seen
    })
    expect(moved).toEqual([[7, 99]])
  })
})

describe('a recording', () => {
  test('that ends after the sound leaves what plays next alone; there is one at a time', async () => {
    await page.clock.install()
    await load('song', SONG, FAST)
    await play().click()
    await stop().waitFor()
    const second = await page.evaluate(async () => {
      const { transport } = window as unknown as TransportPage
      const recording = await transport.record()
      const failure = await transport.record().catch((error: Error) => error.message)
      recording.play()
      transport.stop()
      recording.end()
      transport.play()
      return failure
    })
    expect(second).toBe('The sound is recorded already.')
    await page.clock.fastForward(60_000)
    const before = (await steps()).length
    await expect.poll(async () => (await steps()).length).toBeGreaterThan(before + 20)
    expect(await page.getByRole('alert').textContent()).toBe('')
  })
})

describe('a system that takes the sound away', () => {
  /** As browsers do it for a call: the context is held, and refuses to go on until it is given back. */
  const take = () =>
    page.evaluate(async () => {
      const [context] = (window as unknown as TransportPage).contexts as [AudioContext]
      await context.suspend()
      Object.defineProperty(context, 'state', { get: () => 'interrupted', configurable: true })
      Object.assign(context, {
        resume: () => Promise.reject(new DOMException('The context is interrupted', 'InvalidStateError')),
      })
      context.dispatchEvent(new Event('statechange'))
    })
  const giveBack = () =>
    page.evaluate(() => {
      const [context] = (window as unknown as TransportPage).contexts
      for (const own of ['state', 'resume']) Reflect.deleteProperty(context as object, own)
      context?.dispatchEvent(new Event('statechange'))
    })

  test('has the bar offer Play, which goes on from there when it is given back', async () => {
    const thrown: string[] = []
    page.on('pageerror', (error) => thrown.push(String(error)))
    await load('song', SONG, FAST)
    await play().click()
    await expect.poll(async () => (await steps()).length).toBeGreaterThan(5)
    await take()
    await play().waitFor()
    await page.getByRole('alert').getByText('taken the sound away').waitFor()
    // Pressed during the call: it does not claim to play.
    await play().click()
    await play().waitFor()
    await page.getByRole('alert').getByText('taken the sound away').waitFor()
    await giveBack()
    const before = (await steps()).length
    await play().click()
    await expect.poll(async () => (await steps()).length).toBeGreaterThan(before + 5)
    await stop().waitFor()
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('')
    expect(thrown).toEqual([])
  })
})

test('a MIDI device that is unplugged holds nothing up, and starts again when it is back', async () => {
  await page.evaluate(() => {
    const sent: number[] = []
    const output = {
      ...{ id: 'drums', name: 'Drum machine', state: 'connected' },
      send([byte]: number[]) {
        if (output.state !== 'connected') throw new DOMException('It is gone', 'InvalidStateError')
        sent.push(byte!)
      },
    }
    const access = {
      inputs: new Map(),
      outputs: new Map([['drums', output]]),
      onstatechange: () => {},
    }
    const plug = (state: string) => {
      output.state = state
      access.onstatechange()
    }
    Object.assign(navigator, { requestMIDIAccess: async () => access })
    Object.assign(window, { sent, plug })
  })
  const plug = (state: string) =>
    page.evaluate((is) => (window as unknown as { plug: (state: string) => void }).plug(is), state)
  const sent = () => page.evaluate(() => (window as unknown as { sent: number[] }).sent)
  await load('song', SONG, FAST)
  await page.getByRole('button', { name: /^Sound/ }).click()
  await page.getByRole('button', { name: 'Use MIDI devices' }).click()
  await page.getByLabel('Send MIDI clock to').selectOption({ label: 'Drum machine' })
  await play().click()
  await expect.poll(async () => (await sent()).length).toBeGreaterThan(20)
  await plug('disconnected')
  const [before, gone] = [(await steps()).length, (await sent()).length]
  await expect.poll(async () => (await steps()).length).toBeGreaterThan(before + 10)
  const at = (await playhead()).step
  await expect.poll(async () => (await playhead()).step).not.toBe(at)
  expect((await sent()).length).toBe(gone)
  await page.getByRole('button', { name: /^Sound/ }).click()
  await page.locator('option', { hasText: 'Drum machine, unplugged' }).waitFor({ state: 'attached' })
  await plug('connected')
  await expect.poll(async () => (await sent()).slice(gone)[0]).toBe(0xfa)
  await page.evaluate(() => dispatchEvent(new Event('pagehide')))
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { sent: number[] }).sent.includes(0xfc)))
    .toBe(true)
})

test.each([
  [1280, 'light'],
  [390, 'dark'],
] as const)('the bar fits %i pixels and is accessible in %s, its menu too', async (width, colorScheme) => {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 720 })
  await load('song', SONG)
  const bar = (await page.getByRole('region', { name: 'Transport' }).boundingBox())!
  expect(bar.height).toBe(56)
  await page.getByRole('button', { name: /^Sound/ }).click()
  await page.getByLabel('Instrument of voice 1').waitFor()
  expect(await violationsOf(page, { rules: { 'page-has-heading-one': { enabled: false } } })).toEqual([])
  const beyond = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
  expect(beyond).toBeLessThanOrEqual(0)
})
