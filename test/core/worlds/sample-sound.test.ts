import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testBrowser } from '#test/support/browser.ts'

/* The sound of sample Worlds as a browser renders it: everything at once, through the desk that all of them share. */

const browser = testBrowser({})
/** -1 dBFS. */
const MOST = 10 ** (-1 / 20)

function text(path: string): string {
  return readFileSync(new URL(`../../../worlds/${path}`, import.meta.url), 'utf8')
}

function moduleUrl(source: string): string {
  return `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`
}

/** Runs in the page, as text: the test runner rewrites imports of functions. */
const MEASURE = `async (sound, source, render, each) => {
  const { createDesk } = await import(sound)
  const renderVoice = (await import(source))[render]
  const rate = 44100
  const context = new OfflineAudioContext(2, rate * 9, rate)
  const desk = createDesk(context)
  for (const [index, which] of [...each, ...each, ...each].entries()) {
    const samples = renderVoice(which, rate)
    const buffer = new AudioBuffer({ length: samples.length, sampleRate: rate })
    buffer.copyToChannel(samples, 0)
    const node = new AudioBufferSourceNode(context, { buffer })
    node.connect(desk.input)
    node.connect(new GainNode(context, { gain: 0.35 })).connect(desk.room)
    node.start(0.5 + (index % each.length) * 0.002)
  }
  const rendered = await context.startRendering()
  const channels = [0, 1].map((channel) => rendered.getChannelData(channel))
  const peakOf = (from, to) => Math.max(...channels.map((samples) =>
    samples.subarray(from * rate, to * rate).reduce((most, value) => Math.max(most, Math.abs(value)), 0)))
  return { peak: peakOf(0, 9), before: peakOf(0, 0.49), after: peakOf(8.5, 9) }
}`

const SOUND = moduleUrl(text('shared/sound.js'))

test.each([
  [
    'drum-machine/drums.js',
    'renderDrum',
    ['kick', 'snare', 'clap', 'hat', 'open', 'tom', 'rim', 'cowbell', 'conga', 'shaker'],
  ],
  ['piano/strings.js', 'renderString', [21, 33, 45, 57, 60, 63, 69, 75, 81, 93]],
  ['bells/bronze.js', 'renderBell', [36, 48, 52, 56, 60, 64, 68, 72, 84, 96]],
] as const)(
  '%s stays under -1 dBFS with everything at once, and falls silent without a click',
  async (path, name, voices) => {
    const page = await (await browser().newContext()).newPage()
    const voice = moduleUrl(text(path).replace('./shared/sound.js', SOUND))
    const measured = (await page.evaluate(
      `(${MEASURE})(...${JSON.stringify([SOUND, voice, name, voices])})`,
    )) as { peak: number; before: number; after: number }
    expect(measured.peak).toBeLessThan(MOST)
    expect(measured.peak).toBeGreaterThan(0.3)
    expect(measured.before).toBe(0)
    expect(measured.after).toBeLessThan(0.001)
  },
)
