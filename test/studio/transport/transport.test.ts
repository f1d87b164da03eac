import type { Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { violationsOf } from '../../support/axe.ts'
import { testBrowser } from '../../support/browser.ts'
import { type ComponentSite, startComponentSite } from '../component-site.ts'
import type { TransportPage } from './transport-page.ts'

/** Two paths: a melody and a rhythm. */
const SONG = [
  { path: '/song:0', data: Array.from({ length: 16 }, (_, step) => (step * 5) % 24) },
  { path: '/song:1', data: Array.from({ length: 16 }, (_, step) => (step % 4 === 0 ? 1 : 0)) },
]
/** Steps of 50 ms. */
const FAST = { bpm: 300, stepsPerBeat: 4 } as const

let site: ComponentSite
const browser = testBrowser()
let page: Page

beforeAll(async () => {
  site = await startComponentSite({ pages: { '/': 'transport/transport-page' } })
})
afterAll(async () => {
  await site?.close()
})
beforeEach(async () => {
  await page?.context().close()
  page = await (await browser().newContext({ viewport: { width: 1280, height: 720 } })).newPage()
  await page.goto(site.origin)
  await page.waitForSelector('body[data-ready]')
})

type Streams = Parameters<TransportPage['load']>[1]
type Sound = Parameters<TransportPage['load']>[2]

function load(name: string, streams: Streams, sound?: Sound): Promise<void> {
  return page.evaluate(([of, data, how]) => (window as unknown as TransportPage).load(of, data, how), [
    name,
    streams,
    sound,
  ] as const)
}

function playhead() {
  return page.evaluate(() => (window as unknown as TransportPage).transport.playhead.get())
}

function steps() {
  return page.evaluate(() => (window as unknown as TransportPage).steps.map(({ step }) => step))
}

function play() {
  return page.getByRole('button', { name: 'Play', exact: true })
}

function stop() {
  return page.getByRole('button', { name: 'Stop', exact: true })
}

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
    expect(await playhead()).toMatchObject({ playing: true, key: 'entry/song' })
    await stop().click()
    const after = (await steps()).length
    await page.waitForTimeout(300)
    expect((await steps()).length - after).toBeLessThanOrEqual(1)
    expect(await playhead()).toMatchObject({ playing: false })
  })

  test('ends by itself only where the loop is off', async () => {
    await load('song', SONG, { ...FAST, loop: false })
    await play().click()
    await play().waitFor()
    expect(await steps()).toEqual(Array.from({ length: 16 }, (_, index) => index))
    expect(await playhead()).toMatchObject({ playing: false, step: 0 })
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
    expect(await page.getByLabel('Text').inputValue()).toBe(' ')
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
    expect(await tempo.inputValue()).toBe('111')
    await tempo.fill('9999')
    await tempo.blur()
    expect(await tempo.inputValue()).toBe('111')
    const box = (await tempo.boundingBox())!
    await page.mouse.move(box.x + 20, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(box.x + 20, box.y - 50, { steps: 6 })
    await page.mouse.up()
    expect(await tempo.inputValue()).toBe('131')
    expect(await page.evaluate(() => (window as unknown as TransportPage).sounds.song?.bpm)).toBe(131)
    const position = page.getByRole('slider', { name: 'Position' })
    await position.press('End')
    expect((await playhead()).step).toBe(15)
    await position.press('ArrowLeft')
    expect(await position.getAttribute('aria-valuetext')).toBe('Step 14 of 15')
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
    await page.getByRole('button', { name: 'Loop' }).click()
    await play().waitFor()
    expect(await page.evaluate(() => (window as unknown as TransportPage).sounds.song?.loop)).toBe(false)
  })

  test('switches paths and changes instruments, range and scale by keyboard', async () => {
    await load('song', SONG, FAST)
    await page.getByRole('button', { name: 'Path 1', exact: true }).press('Enter')
    await page.getByRole('button', { name: /^Sound/ }).press('Enter')
    await page.getByLabel('Instrument of path 0').selectOption({ label: 'Bell' })
    await page.getByLabel('Lowest octave of path 0').selectOption('5')
    await page.getByLabel('Scale of path 0').selectOption({ label: 'blues' })
    await page.getByLabel('Key', { exact: true }).selectOption({ label: 'G' })
    expect(await page.evaluate(() => (window as unknown as TransportPage).sounds.song)).toEqual({
      ...FAST,
      root: 7,
      paths: [
        { path: '1', muted: true },
        { path: '0', instrument: 'bell', octave: 5, scale: 'blues' },
      ],
    })
    await page.keyboard.press('Escape')
    await page.getByLabel('Instrument of path 0').waitFor({ state: 'detached' })
  })
})

describe('what reaches the speakers, by the clock of an offline context', () => {
  const QUIET = -1

  test('is an edit at most 60 ms after its step, and steps without drift over half an hour', async () => {
    const found = await page.evaluate(
      async ([quiet, seconds]) => {
        const rate = 8_000
        const stepSeconds = 0.1
        const loop = (note: number) =>
          ({ stepSeconds, instrument: 'hat', notes: Array<number>(8).fill(note) }) as const
        const blockSeconds = 128 / rate
        // Edits at every place inside of a step, with their run up to 60 ms later, at the beginning of a block.
        const edits = Array.from({ length: 240 }, (_, index) => {
          const editedAt = 1 + index * 7.4 + ((index * 37) % 100) / 1000
          const runAt = editedAt + 0.02 + ((index * 7) % 40) / 1000
          const arrivesAt = Math.floor(runAt / blockSeconds) * blockSeconds
          return { editedAt, arrivesAt, pattern: loop(42) }
        })
        const ends = edits.map(({ editedAt }) => {
          const at = editedAt + 0.65
          return { editedAt: at, arrivesAt: at, pattern: loop(quiet) }
        })
        const samples = await (window as unknown as TransportPage).renderOffline({
          ...{ rate, seconds, first: loop(quiet) },
          edits: edits.flatMap((edit, index) => [edit, ends[index]!]),
        })
        const onsets: number[] = []
        let last = Number.NEGATIVE_INFINITY
        for (let frame = 0; frame < samples.length; frame++) {
          if (Math.abs(samples[frame]!) < 0.1) continue
          if (frame - last > 0.02 * rate) onsets.push(frame / rate)
          last = frame
        }
        const firsts = edits.map(({ editedAt }) => onsets.find((onset) => onset > editedAt) ?? Number.NaN)
        return {
          onsets: onsets.length,
          last: onsets.at(-1)!,
          edits: edits.map(({ editedAt, arrivesAt }, index) => {
            const boundary = Math.ceil(editedAt / stepSeconds) * stepSeconds
            return { afterMs: (firsts[index]! - boundary) * 1000, late: arrivesAt > boundary }
          }),
          driftMs: Math.max(
            ...onsets
              .filter((onset) => !firsts.includes(onset))
              .map((onset) => Math.abs(onset - Math.round(onset / stepSeconds) * stepSeconds) * 1000),
          ),
        }
      },
      [QUIET, 30 * 60] as const,
    )
    expect(found.onsets).toBeGreaterThan(240 * 5)
    expect(found.last).toBeGreaterThan(1_765)
    expect(found.driftMs).toBeLessThan(5)
    const late = found.edits.filter((edit) => edit.late)
    expect(late.length).toBeGreaterThan(40)
    expect(Math.min(...found.edits.map(({ afterMs }) => afterMs))).toBeGreaterThanOrEqual(0)
    expect(Math.max(...late.map(({ afterMs }) => afterMs))).toBeLessThanOrEqual(60)
    // The others are on the beat.
    expect(Math.max(...found.edits.filter((edit) => !edit.late).map(({ afterMs }) => afterMs))).toBeLessThan(
      5,
    )
  })

  test('has no gap and no click while a tone is edited twenty times a second', async () => {
    const found = await page.evaluate(async () => {
      const rate = 44_100
      const stepSeconds = 0.05
      const drone = (note: number) =>
        ({ stepSeconds, instrument: 'pad', notes: Array<number>(16).fill(note) }) as const
      const samples = await (window as unknown as TransportPage).renderOffline({
        ...{ rate, seconds: 4, first: drone(57) },
        edits: Array.from({ length: 60 }, (_, index) => {
          const editedAt = 0.5 + index * 0.0513
          return { editedAt, arrivesAt: editedAt + 0.02, pattern: drone(index % 2 === 0 ? 60 : 57) }
        }),
      })
      // The loudest moment of every 20 ms, and the sharpest bend of the wave.
      const window20 = Math.round(rate / 50)
      let quietest = 1
      for (let at = rate / 2; at + window20 <= samples.length; at += window20) {
        let peak = 0
        for (let k = at; k < at + window20; k++) peak = Math.max(peak, Math.abs(samples[k]!))
        quietest = Math.min(quietest, peak)
      }
      let bend = 0
      for (let k = 2; k < samples.length; k++) {
        bend = Math.max(bend, Math.abs(samples[k]! - 2 * samples[k - 1]! + samples[k - 2]!))
      }
      return { quietest, bend }
    })
    expect(found.quietest).toBeGreaterThan(0.02)
    // A cut wave bends as much as it is loud, here 0.2 and more.
    expect(found.bend).toBeLessThan(0.05)
  })
})

describe('files of sound', () => {
  /** The samples of a WAV of 16 bits in stereo, frame by frame, as numbers. */
  function readWav(base64: string) {
    const bytes = Buffer.from(base64, 'base64')
    expect(bytes.subarray(0, 4).toString()).toBe('RIFF')
    expect(bytes.subarray(8, 16).toString()).toBe('WAVEfmt ')
    expect([bytes.readUInt16LE(20), bytes.readUInt16LE(22), bytes.readUInt16LE(34)]).toEqual([1, 2, 16])
    expect(bytes.readUInt32LE(40)).toBe(bytes.byteLength - 44)
    const rate = bytes.readUInt32LE(24)
    const left = Array.from({ length: (bytes.byteLength - 44) / 4 }, (_, frame) =>
      bytes.readInt16LE(44 + frame * 4),
    )
    return { rate, left }
  }

  function loudest(samples: readonly number[]) {
    return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  }

  test('WAV has every step at its time, and the stems are what the mix is made of', async () => {
    const hits = [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    const made = await page.evaluate(
      async ([streams, sound]) => {
        const { mix, stems } = window as unknown as TransportPage
        return { mix: await mix(streams, sound), stems: await stems(streams, sound) }
      },
      [
        [
          { path: '/song:0', data: hits },
          { path: '/song:1', data: hits.toReversed() },
          { path: '/song:2', data: hits },
        ],
        { ...FAST, paths: [{ path: '2', muted: true }] },
      ] as const,
    )
    const { rate, left } = readWav(made.mix)
    // 16 steps of 50 ms, and what rings after them.
    expect(left.length / rate).toBeCloseTo(0.8 + 2.5, 1)
    const around = (seconds: number) =>
      loudest(left.slice(Math.round(seconds * rate), Math.round((seconds + 0.02) * rate)))
    expect(around(0)).toBeGreaterThan(3000)
    expect(around(0.4)).toBeGreaterThan(3000)
    expect(around(3.2)).toBeLessThan(100)
    expect(made.stems.map(({ name }) => name)).toEqual(['01_path_0_kick.wav', '02_path_1_hat.wav'])
    const [kick, hat] = made.stems.map(({ wav }) => readWav(wav).left)
    // The mix is their sum, but for what the limiter bends.
    const apart = left.map((sample, frame) => Math.abs(sample - kick![frame]! - hat![frame]!))
    expect(loudest(apart)).toBeLessThan(loudest(left) * 0.25)
    expect(loudest(hat!)).toBeGreaterThan(500)
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
    await expect.poll(async () => (await sent()).length).toBeGreaterThan(100)
    await stop().click()
    await expect.poll(async () => (await sent()).at(-1)?.[0]).toBe(0xfc)
    const [first, ...rest] = await sent()
    expect(first?.[0]).toBe(0xfa)
    const clocks = rest.filter(([byte]) => byte === 0xf8).map(([, at]) => at)
    expect(clocks.length).toBeGreaterThan(90)
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
  await page.getByLabel('Instrument of path 0').waitFor()
  expect(await violationsOf(page, { rules: { 'page-has-heading-one': { enabled: false } } })).toEqual([])
  const beyond = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
  expect(beyond).toBeLessThanOrEqual(0)
})
