import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkBundle } from '#lib/compute/bundle/check-bundle.ts'
import { createServicesDispatcher } from '#lib/server/operations/services/dispatcher.ts'
import { TEMPLATES, valuesOf } from '#lib/studio/library/templates.ts'
import { threadColor } from '#lib/ui/components/thread-colors.ts'
import { exampleNetwork, examplePieces } from '#scripts/example-network/network.ts'
import { runsOffline } from '#scripts/example-network/run-offline.ts'
import { publishSampleWorlds, sampleWorlds } from '#scripts/example-network/sample-worlds.ts'
import { servicesClient } from '#scripts/world-kit/services-client.ts'
import { folderFiles, packWorld } from '#scripts/world-kit/world-folder.ts'
import { compileOnce } from '#test/support/compiled-bodies.ts'
import { testConfig } from '#test/support/config.ts'
import { startServices, type TestServices } from '#test/support/services.ts'

const SDK = '../../js/sdk/world-runtime.js'
const samples = sampleWorlds()

const unpacked = mkdtempSync(join(tmpdir(), 'weft-worlds-'))
afterAll(() => rmSync(unpacked, { recursive: true, force: true }))

/** A script of the bundle of a sample World; they are plain JavaScript. */
async function script<T>(path: string): Promise<T> {
  const [slug] = path.split('/')
  const sample = samples.find((each) => each.slug === slug)
  for (const [file, bytes] of folderFiles(sample?.folder ?? '')) {
    const place = join(unpacked, String(slug), file)
    mkdirSync(dirname(place), { recursive: true })
    if (!existsSync(place)) writeFileSync(place, bytes)
  }
  writeFileSync(join(unpacked, 'package.json'), '{ "type": "module" }')
  return import(pathToFileURL(join(unpacked, path)).href)
}

describe('the sample Worlds', () => {
  test.each(samples)('$slug is a bundle to take as an example', async ({ folder }) => {
    const outcome = await checkBundle(await packWorld(folder))
    expect(outcome).toMatchObject({ status: 'accepted' })
    if (outcome.status !== 'accepted') return
    const { manifest, warnings } = outcome.bundle
    // To take any connector is what some of them are for.
    expect(warnings.filter((text) => !text.startsWith('No compatibility is declared'))).toEqual([])
    expect(manifest.surfaces).toEqual(['world-page', 'studio-plugin'])
    expect(manifest.shortDescription).toBeTruthy()
    expect(existsSync(join(folder, 'README.md'))).toBe(true)
    for (const [path, bytes] of folderFiles(folder)) {
      if (!/\.(js|html)$/.test(path)) continue
      const text = new TextDecoder().decode(bytes)
      for (const [, file = ''] of text.matchAll(/\bshared\/([\w-]+\.(?:js|css))/g)) {
        expect(existsSync(join(folder, '../shared', file))).toBe(true)
      }
      for (const [, from] of text.matchAll(/(?:from|import\()\s*['"]([^'"]+)/g)) {
        expect([SDK, expect.stringMatching(/^\.\/(?:shared\/)?[\w-]+\.js$/)]).toContainEqual(from)
      }
      expect(text).not.toMatch(/https?:\/\//)
    }
  })
})

test.each(samples)('$slug moves with what the page plays', ({ folder }) => {
  const scripts = [...folderFiles(folder)].filter(([path]) => path === 'world.js')
  for (const [, bytes] of scripts) {
    expect(new TextDecoder().decode(bytes)).toMatch(/^(?:const \w+ = )?(?:followPage|createClock)\(sdk/m)
  }
})

describe('what they make of numbers', () => {
  const streams = (data: Record<string, readonly number[]>) =>
    Object.entries(data).map(([name, values]) => ({ path: `/song:0/${name}:0`, data: values }))

  interface Note {
    readonly pitch: number
    readonly start: number
    readonly length: number
    readonly velocity: number
  }

  test('the piano roll reads notes, from the first on, and leaves out what is too far away', async () => {
    const { notesOf } = await script<{
      notesOf(given: unknown, bindings?: unknown): { notes: Note[]; left: number }
    }>('piano-roll/notes.js')
    const read = notesOf(
      streams({
        pitch: [60, 300, 64],
        time: [104, 100, 4_000_000_000],
        duration: [2, 0, 9],
        velocity: [255, 0, 1],
      }),
    )
    expect(read).toEqual({
      notes: [
        { pitch: 44, start: 0, length: 1, velocity: 8 },
        { pitch: 60, start: 4, length: 2, velocity: 127 },
      ],
      left: 1,
    })
    expect(notesOf([{ path: '/a:0', data: [5, 6] }]).notes).toMatchObject([{ start: 0 }, { start: 1 }])
    expect(notesOf([])).toEqual({ notes: [], left: 0 })
    const bindings = [{ slot: 'time', executeOutput: [{ path: '/clock:0', data: [7, 9] }] }]
    expect(notesOf(streams({ pitch: [60, 61], time: [0, 1] }), bindings).notes).toMatchObject([
      { start: 0 },
      { start: 2 },
    ])
  })

  test('its MIDI file ends a note before the same one begins again', async () => {
    const { midiFile } = await script<{ midiFile(notes: readonly Note[], tempo: number): Uint8Array }>(
      'piano-roll/midi.js',
    )
    const note = { pitch: 60, start: 0, length: 1, velocity: 90 }
    const bytes = Buffer.from(midiFile([note, { ...note, start: 1, length: 20 }], 120))
    expect(bytes.toString('hex')).toBe(
      // Header: format 0, one track, 480 ticks a quarter.
      `4d546864000000060000000101e0${
        // Track of 28 bytes: half a second a quarter, then on, off, on, off 2400 ticks later, end.
        '4d54726b0000001c00ff510307a12000903c5a78803c0000903c5a9260803c0000ff2f00'
      }`,
    )
  })

  interface Sign {
    readonly pitches: readonly number[]
    readonly start: number
    readonly length: number
    readonly tied: boolean
    readonly beam?: number
  }
  interface Score {
    readonly measures: number
    readonly staves: readonly { readonly clef: string; readonly measures: readonly (readonly Sign[])[] }[]
  }

  test('the score fills every measure, ties over bar lines, beams within a beat, and writes MusicXML', async () => {
    const { notesOf } = await script<{ notesOf(given: unknown): { notes: Note[]; left: number } }>(
      'score/notes.js',
    )
    const { scoreOf } = await script<{ scoreOf(notes: readonly Note[]): Score }>('score/measures.js')
    const { musicXml } = await script<{ musicXml(score: Score, title: string, tempo: number): string }>(
      'score/musicxml.js',
    )
    const run = { pitch: [61, 64, 48, 127], time: [9, 10, 9, 22], duration: [1, 1, 13, 4] }
    const score = scoreOf(notesOf(streams(run)).notes)
    const signs = score.staves.map(({ clef, measures }) => [
      clef,
      ...measures.map((measure) =>
        measure.map(
          ({ pitches, length, tied, beam }) =>
            `${pitches.join('+') || 'rest'} ${length}${tied ? ' tied' : ''}${beam ? ` beam ${beam}` : ''}`,
        ),
      ),
    ])
    expect(signs).toEqual([
      [
        'treble',
        ['61 1 beam 1', '64 1 beam 1', 'rest 2', 'rest 8', 'rest 1', '91 3 tied'],
        ['91 1', 'rest 3', 'rest 12'],
      ],
      ['bass', ['48 12 tied', '48 1', 'rest 3'], ['rest 16']],
    ])
    const xml = musicXml(score, '<a>', 96)
    expect(xml).toContain('<work-title>&#60;a&#62;</work-title>')
    expect(xml).toContain(
      '<note><pitch><step>C</step><alter>1</alter><octave>4</octave></pitch><duration>1</duration><voice>1</voice><type>16th</type><staff>1</staff></note>',
    )
    expect(xml.match(/<tie type="start"\/>/g)).toHaveLength(2)
    expect(xml.match(/<tie type="stop"\/>/g)).toHaveLength(2)
    // What the file adds up to: both staves, both measures.
    const durations = [...xml.matchAll(/<note>.*?<duration>(\d+)</g)].map(([, ticks]) => Number(ticks))
    expect(durations.reduce((sum, ticks) => sum + ticks)).toBe(64)
  })

  test('a short score is as large as all of it is on the page, in the middle, clear of its edges', async () => {
    const { notesOf } = await script<{ notesOf(given: unknown): { notes: Note[] } }>('score/notes.js')
    const { scoreOf } = await script<{ scoreOf(notes: readonly Note[]): Score }>('score/measures.js')
    const { pageOf } = await script<{
      pageOf(
        canvas: { clientWidth: number; clientHeight: number },
        score: Score,
      ): {
        space: number
        margin: number
        above: number
        systemHeight: number
        systems: unknown[]
        rows: number
      }
    }>('score/engrave.js')
    const canvas = { clientWidth: 857, clientHeight: 450 }
    const page = (count: number) =>
      pageOf(
        canvas,
        scoreOf(
          notesOf(streams({ pitch: Array.from({ length: count }, (_, step) => 60 + (step % 9)) })).notes,
        ),
      )
    const [short, long] = [page(32), page(640)]
    expect(short.space).toBeGreaterThan(long.space)
    let layouts = 0
    const counted = {
      ...scoreOf(notesOf(streams({ pitch: [60, 62] })).notes),
      get measures() {
        layouts++
        return 1
      },
    }
    pageOf(canvas, counted)
    expect(layouts).toBe(1)
    expect(short.rows).toBe(short.systems.length)
    expect(short.above + short.rows * short.systemHeight).toBeCloseTo(450 / short.space - short.above)
    for (const { margin, space } of [short, long]) expect((margin * space) / 857).toBeGreaterThan(0.04)
  })

  test.each([[[]], [[0]], [Array.from({ length: 1024 }, (_, step) => (step * 2_654_435_761) % 2 ** 32)]])(
    'the score and the tone machine take any numbers (%#)',
    async (numbers) => {
      const { notesOf } = await script<{ notesOf(given: unknown): { notes: Note[] } }>('score/notes.js')
      const { scoreOf } = await script<{ scoreOf(notes: readonly Note[]): Score }>('score/measures.js')
      const { systemsOf } = await script<{ systemsOf(score: Score, width: number): { last: number }[] }>(
        'score/layout.js',
      )
      const { loopOf } = await script<{ loopOf(given: unknown): { notes: Note[]; end: number } }>(
        'tone-machine/notes.js',
      )
      const given = streams({ pitch: numbers, time: numbers, duration: numbers, velocity: numbers })
      const score = scoreOf(notesOf(given).notes)
      for (const measure of score.staves.flatMap(({ measures }) => measures)) {
        expect(measure.reduce((sum, { length }) => sum + length, 0)).toBe(16)
      }
      // Also where a measure is wider than the page.
      for (const width of [10, 100]) expect(systemsOf(score, width).at(-1)?.last).toBe(score.measures - 1)
      const { notes, end } = loopOf(given)
      expect(end % 4).toBe(0)
      for (const { pitch, start, length } of notes) {
        expect(pitch).toBeGreaterThanOrEqual(28)
        expect(pitch).toBeLessThanOrEqual(100)
        expect(start + length).toBeLessThanOrEqual(end)
      }
    },
  )

  test('rounds strike the steps that the studio hears, and times the harder, the more often they are met', async () => {
    const { patternsOf } = await script<{
      patternsOf(given: unknown, places: number): { label: string; strengths: number[] }[]
    }>('rounds/patterns.js')
    const sounding = (data: number[], places: number) =>
      patternsOf(streams({ path: data }), places)[0]!.strengths.flatMap((each, at) => (each > 0 ? [at] : []))
    const template = (name: string) => valuesOf(TEMPLATES.find((each) => each.name === name)!, 16)
    const [kick, claps] = template('euclidean')
    expect(sounding([...kick!], 16)).toEqual([0, 4, 8, 12])
    expect(sounding([...claps!], 16)).toHaveLength(5)
    const [drum, snare, hat] = template('drum_pattern')
    expect(sounding([...drum!], 8)).toEqual([0, 3, 4])
    expect(sounding([...snare!], 8)).toEqual([2, 6])
    expect(sounding([...hat!], 8)).toHaveLength(8)
    expect(patternsOf(streams({ time: [0, 4, 7] }), 4)).toEqual([
      { label: 'time', strengths: [1, 0, 0, 0.7] },
    ])
    expect(
      patternsOf(streams(Object.fromEntries([...'abcdefgh'].map((name) => [name, [1]]))), 8),
    ).toHaveLength(6)
  })

  test('cloth threads every number, with a shaft, and repeats a short run', async () => {
    const { draftOf } = await script<{
      draftOf(given: unknown): { warp: Uint8Array; weft: Uint8Array; threads: number }
    }>('cloth/draft.js')
    const { warp, weft, threads } = draftOf(streams({ pitch: [60, 61] }))
    expect([threads, warp.length]).toEqual([24, 96])
    expect([...warp.slice(0, 8)]).toEqual([0x1f, 0x2b, 0x6b, 0, 0x93, 0x30, 0x7c, 2])
    expect([...warp.slice(8, 11)]).toEqual([0x1f, 0x2b, 0x6b])
    expect(weft[3]).toBe(0)
    expect(draftOf([]).warp.every((byte) => byte === 0)).toBe(true)
  })

  test('the starfield has a star for each particle, also of one stream, and of one number', async () => {
    const { starsOf } = await script<{
      starsOf(given: unknown): { x: number; y: number; size: number }[]
    }>('starfield/stars.js')
    expect(starsOf(streams({ x: [5, 10, 15], y: [0, 4], z: [1, 1, 3] }))).toEqual([
      { x: 0, y: 0, size: 0 },
      { x: 0.5, y: 1, size: 0 },
      { x: 1, y: 0, size: 1 },
    ])
    expect(starsOf(streams({ x: [1, 2] }))).toEqual([
      { x: 0, y: 1, size: 0.4 },
      { x: 1, y: 0, size: 0.4 },
    ])
    expect(starsOf(streams({ x: [7], y: [], z: [] }))).toEqual([{ x: 0.5, y: 0.5, size: 0.5 }])
    expect(starsOf([])).toEqual([])
    const many = Array.from({ length: 5000 }, (_, step) => (step * 2_654_435_761) % 2 ** 32)
    const sky = starsOf(streams({ x: many, y: many.slice(7), z: many.slice(11) }))
    expect(sky).toHaveLength(1024)
    expect(sky.flatMap(Object.values).every((each) => each >= 0 && each <= 1)).toBe(true)
  })

  interface Line {
    readonly points: readonly { x: number; y: number; press: number }[]
    readonly corners: boolean
    readonly way: string
  }

  interface Point {
    readonly x: number
    readonly y: number
  }

  /** The sharpest turn of a line, in degrees. */
  function sharpest(points: readonly Point[]): number {
    const moves = points
      .slice(1)
      .map(({ x, y }, index) => [x - points[index]!.x, y - points[index]!.y] as const)
      .filter(([x, y]) => Math.hypot(x, y) > 1e-6)
    const turns = moves.slice(1).map(([x, y], index) => {
      const [u, v] = moves[index]!
      return (Math.abs(Math.atan2(u * y - v * x, u * x + v * y)) * 180) / Math.PI
    })
    return Math.max(...turns)
  }

  test('the plotter folds the dragon curve from left and right turns, and keeps a circle round', async () => {
    const { lineOf } = await script<{ lineOf(given: unknown): Line }>('plotter/line.js')
    const folds = Array.from({ length: 15 }, (_, step) =>
      ((step + 1) / ((step + 1) & -(step + 1))) & 2 ? 0 : 1,
    )
    const { points, corners } = lineOf(streams({ fold: folds }))
    expect([points.length, corners]).toEqual([16, true])
    const sides = points.slice(1).map(({ x, y }, index) => [x - points[index]!.x, y - points[index]!.y])
    expect(new Set(sides.map(([x = 0, y = 0]) => Math.hypot(x, y).toFixed(6))).size).toBe(1)
    const turns = sides.slice(1).map(([x = 0, y = 0], index) => {
      const [u = 0, v = 0] = sides[index]!
      return u * y - v * x > 0 ? 0 : 1
    })
    expect(turns).toEqual(folds.slice(1))
    const round = Array.from({ length: 64 }, (_, step) => (2 * Math.PI * step) / 64)
    const circle = lineOf(
      streams({
        x: round.map((at) => Math.round(500 + 400 * Math.cos(at))),
        y: round.map((at) => Math.round(500 + 350 * Math.sin(at))),
      }),
    )
    expect(circle.way).toBe('across and up')
    expect(Math.max(...circle.points.map(({ y }) => y))).toBeCloseTo(350 / 400, 2)
  })

  test('a pen draws a rounded circle as a circle, and keeps the corners of a grid', async () => {
    const { lineOf } = await script<{ lineOf(given: unknown): Line }>('plotter/line.js')
    const { pathOf } = await script<{ pathOf(line: Line, half: number): readonly Point[][] }>(
      'plotter/sheet.js',
    )
    // A circle of 64 places: as they are, its points are stairs.
    const round = Array.from({ length: 361 }, (_, step) => (2 * Math.PI * step) / 360)
    const circle = lineOf(
      streams({
        a: round.map((at) => Math.round(32 + 31 * Math.cos(at))),
        b: round.map((at) => Math.round(32 + 31 * Math.sin(at))),
      }),
    )
    expect(circle.corners).toBe(false)
    expect(sharpest(pathOf(circle, 300).flat())).toBeLessThan(20)
    for (const { x, y } of circle.points) expect(Math.hypot(x, y)).toBeCloseTo(1, 1)
    const grid = lineOf(streams({ a: [0, 1, 1, 2, 2, 1], b: [5, 5, 6, 6, 5, 5] }))
    expect(grid.corners).toBe(true)
  })

  test('the rose is drawn without a corner, and closes', async () => {
    const { lineOf } = await script<{ lineOf(given: unknown): Line }>('plotter/line.js')
    const { pathOf } = await script<{ pathOf(line: Line, half: number): readonly Point[][] }>(
      'plotter/sheet.js',
    )
    const run = runsOffline(exampleNetwork, compileOnce)
    const lineOfPiece = (pieceName: string) => {
      const { name, present } = examplePieces.find((piece) => piece.name === pieceName)!
      return lineOf(run(name, present.particles).map(({ path, data }) => ({ path, data: [...data] })))
    }
    const rose = lineOfPiece('rose')
    expect(rose.points.at(-1)).toEqual(rose.points[0])
    expect(sharpest(pathOf(rose, 300).flat())).toBeLessThan(20)
    expect(lineOfPiece('dragon_curve').corners).toBe(true)
  })

  test('broken twill goes up four shafts and down four, with a break between', async () => {
    const { draftOf } = await script<{ draftOf(given: unknown): { warp: Uint8Array; weft: Uint8Array } }>(
      'cloth/draft.js',
    )
    const piece = examplePieces.find(({ name }) => name === 'broken_twill')!
    const run = runsOffline(exampleNetwork, compileOnce)(piece.name, piece.present.particles)
    const { warp, weft } = draftOf(run.map(({ path, data }) => ({ path, data: [...data] })))
    const shafts = (bytes: Uint8Array) =>
      Array.from({ length: 16 }, (_, thread) => bytes[thread * 4 + 3]! + 1)
    expect(shafts(warp).join('')).toBe('1234123421432143')
    expect(shafts(weft).join('')).toBe('1234123412341234')
    expect(run.slice(0, 2).map(({ path }) => path)).toEqual([
      expect.stringMatching(/\/warp:0$/),
      expect.stringMatching(/\/weft:0$/),
    ])
  })

  test('the chart calls streams by their parts, each differently, in the colours of the site', async () => {
    const { namesOf } = await script<{ namesOf(given: unknown, voices?: unknown): string[] }>(
      'plain-chart/names.js',
    )
    const named = (...paths: string[]) => paths.map((path) => ({ path, data: [] }))
    const voices = [{ path: '/counterpoint:1', instrument: 'lead' }]
    expect(namesOf(named('/counterpoint:0', '/counterpoint:1'), voices)).toEqual(['Voice 1', 'Lead'])
    expect(
      namesOf(named('/weave:0/duet:0/pitch:0', '/weave:1/slow_motif:0/pitch:0', '/weave:2/time:0')),
    ).toEqual(['duet pitch', 'slow motif pitch', 'time'])
    expect(namesOf(named('/a:0/pitch:0', '/a:1/pitch:0'))).toEqual(['pitch', 'pitch 2'])
    expect(namesOf(named('/a:0/pitch:0', '/a:1/pitch:0', '/b:0/pitch_2:0'))).toEqual([
      'pitch',
      'pitch 3',
      'pitch 2',
    ])
    const { THREADS } = await script<{ THREADS: Record<'light' | 'dark', string[]> }>(
      'plain-chart/shared/threads.js',
    )
    const styles = readFileSync(new URL('../../../app/globals.css', import.meta.url), 'utf8')
    for (const [place, light] of THREADS.light.entries()) {
      const [, token = ''] = /--color-(\w+)/.exec(threadColor(place)) ?? []
      expect(styles).toContain(`--color-${token}: light-dark(${light}, ${THREADS.dark[place]});`)
    }
  })

  test('tiles are a field from edge to edge, of two numbers, of many, and of rows of bits', async () => {
    const { fieldOf } = await script<{
      fieldOf(
        given: unknown,
        ratio: number,
      ): {
        columns: number
        rows: number
        kind: string
        tiles: readonly { turn: number; tone: number; step: number; on: boolean }[]
      }
    }>('tiles/field.js')
    const coins = fieldOf(streams({ coin: [0, 1, 1, 0] }), 1)
    expect([coins.kind, coins.tiles.slice(0, 4).map(({ turn }) => turn)]).toEqual(['arcs', [0, 1, 1, 0]])
    expect(coins.tiles).toHaveLength(coins.columns * coins.rows)
    expect(fieldOf(streams({ pitch: [60, 64, 67, 72] }), 2).kind).toBe('quarters')
    // Rule 90 from one cell.
    const rows = [0b1_0000_0000_0000, 0b10_1000_0000_0000, 0b100_0100_0000_0000]
    const bits = fieldOf(streams({ row: rows }), 1)
    const drawn = Array.from({ length: 3 }, (_, row) =>
      bits.tiles
        .slice(row * bits.columns, (row + 1) * bits.columns)
        .map(({ on }) => (on ? '#' : '.'))
        .join(''),
    )
    expect(drawn.map((row) => row.slice(3, 8))).toEqual(['..#..', '.#.#.', '#...#'])
  })

  test('the drum machine strikes what the page sounds, and else what rounds strike', async () => {
    const { kitOf } = await script<{
      kitOf(given: unknown, voices?: unknown): { drum: string; strengths: number[]; isSilent: boolean }[]
    }>('drum-machine/kit.js')
    const pattern = streams({ kick: [1, 0, 0, 1], thing: [0, 2, 0, 0], clave: [0, 3, 6, 10, 12] })
    const own = kitOf(pattern)
    expect(own.map(({ drum }) => drum)).toEqual(['kick', 'hat', 'rim'])
    expect(own[2]!.strengths).toEqual([1, 0, 0, 1, 0])
    const voices = [
      { path: pattern[0]!.path, instrument: 'clap', pitches: [-1, 39, -1, -1], velocities: [0, 127, 0, 0] },
    ]
    expect(kitOf(pattern, voices)[0]).toMatchObject({ drum: 'clap', strengths: [0, 1, 0, 0, 0] })
    expect(kitOf(pattern, voices)[1]).toMatchObject({ isSilent: true, strengths: [0, 0, 0, 0, 0] })
  })

  /** Faults of samples that sound as they are: a peak, an offset, a click at an end. */
  function faultsOf(samples: Float32Array): string[] {
    const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length
    return [
      ...(samples.every(Number.isFinite) ? [] : ['not finite']),
      ...(peak > 0.999 && peak < 1.001 ? [] : [`peak ${peak}`]),
      ...(Math.abs(mean) < 0.01 ? [] : [`offset ${mean}`]),
      ...(Math.abs(samples[0]!) < 0.001 && Math.abs(samples.at(-1)!) < 0.001 ? [] : ['an end that clicks']),
    ]
  }

  test('bells and strings have a peak of 1, no offset, and end in silence', async () => {
    const { renderString, stringOf } = await script<{
      renderString(pitch: number, rate: number): Float32Array
      stringOf(pitch: number): { string: number; rate: number }
    }>('piano/strings.js')
    const { renderBell, bellOf } = await script<{
      renderBell(pitch: number, rate: number): Float32Array
      bellOf(pitch: number): { bell: number; rate: number }
    }>('bells/bronze.js')
    for (const pitch of [0, 21, 60, 108, 127]) {
      const { string, rate } = stringOf(pitch)
      const { bell } = bellOf(pitch)
      expect([pitch, faultsOf(renderString(string, 44_100)), faultsOf(renderBell(bell, 44_100))]).toEqual([
        pitch,
        [],
        [],
      ])
      expect(((string + 12 * Math.log2(rate) - pitch) % 12) + 0).toBeCloseTo(0, 9)
    }
  })

  test('a string of A4 sounds at 440 Hz and its partials are sharp, as those of steel are', async () => {
    const { renderString } = await script<{ renderString(pitch: number, rate: number): Float32Array }>(
      'piano/strings.js',
    )
    const rate = 44_100
    const samples = renderString(69, rate).subarray(2000, 2000 + rate)
    const strengthAt = (frequency: number) => {
      let [real, imaginary] = [0, 0]
      for (const [place, value] of samples.entries()) {
        const angle = (2 * Math.PI * frequency * place) / rate
        real += value * Math.cos(angle)
        imaginary += value * Math.sin(angle)
      }
      return Math.hypot(real, imaginary)
    }
    const loudest = (low: number, high: number) => {
      const all = Array.from({ length: (high - low) * 2 }, (_, place) => low + place / 2)
      return all.reduce((best, each) => (strengthAt(each) > strengthAt(best) ? each : best), low)
    }
    expect(Math.abs(loudest(430, 450) - 440)).toBeLessThanOrEqual(1)
    expect(loudest(2190, 2240)).toBeGreaterThan(2202)
  })

  test('bells are numbered from the treble, or hang one for each pitch, and no more than twelve', async () => {
    const { ringOf } = await script<{
      ringOf(
        given: unknown,
        voices?: unknown,
      ): { bells: { pitch: number }[]; strokes: { bell: number; start: number }[]; end: number }
    }>('bells/ring.js')
    const rounds = ringOf(streams({ bell: [1, 2, 3, 2, 1, 3] }))
    expect(rounds.strokes.map(({ bell }) => bell)).toEqual([2, 1, 0, 1, 2, 0])
    expect(ringOf(streams({ pitch: [60, 67, 60] })).bells).toEqual([{ pitch: 60 }, { pitch: 67 }])
    const wide = ringOf(streams({ pitch: Array.from({ length: 40 }, (_, step) => 40 + step) }))
    expect([wide.bells.length, wide.strokes.length]).toEqual([12, 40])
    const voices = [
      { path: '/a', instrument: 'bell', pitches: [-1, 72], velocities: [0, 90], lengths: [1, 1] },
    ]
    expect(ringOf(streams({ bell: [1, 2] }), voices).strokes).toMatchObject([{ bell: 0, start: 1 }])
  })

  test('wind turns smoothly from number to number', async () => {
    const { windOf } = await script<{
      windOf(
        given: unknown,
        ratio: number,
      ): { at(x: number, y: number): number; tone(x: number, y: number): number }
    }>('flow/field.js')
    const wind = windOf(streams({ a: [0, 9, 3, 7, 1, 8, 2, 6, 5], time: [1, 2, 3] }), 1.5)
    const places = Array.from({ length: 200 }, (_, place) => place / 200)
    const turns = places.slice(1).map((at) => Math.abs(wind.at(at, 0.4) - wind.at(at - 1 / 200, 0.4)))
    expect(Math.max(...turns)).toBeLessThan(0.2)
    expect(new Set(places.map((at) => wind.at(at, at).toFixed(2))).size).toBeGreaterThan(10)
  })

  test('every drum has a peak of 1, no offset, and ends in silence, at each rate', async () => {
    const { DRUMS, renderDrum } = await script<{
      DRUMS: Record<string, unknown>
      renderDrum(name: string, rate: number): Float32Array
    }>('drum-machine/drums.js')
    for (const name of Object.keys(DRUMS)) {
      for (const rate of [44_100, 48_000])
        expect([name, faultsOf(renderDrum(name, rate))]).toEqual([name, []])
    }
  })

  test.each([
    ['drum-machine/kit.js', 'kitOf'],
    ['piano/shared/notes.js', 'voicesOf'],
    ['bells/ring.js', 'ringOf'],
    ['plotter/line.js', 'lineOf'],
    ['tiles/field.js', 'fieldOf'],
  ])('%s takes any numbers', async (path, name) => {
    const read = (await script<Record<string, (given: unknown, more?: number) => unknown>>(path))[name]!
    const wild = Array.from({ length: 5000 }, (_, step) => (step * 2_654_435_761) % 2 ** 32)
    for (const numbers of [[], [0], [7, 7, 7], [0, 1], [2 ** 32 - 1], wild]) {
      for (const given of [
        { a: numbers },
        { a: numbers, b: [] },
        { a: numbers, b: [3], c: numbers },
        { a: [1, 2, 3], time: numbers },
      ]) {
        expect(
          JSON.stringify(/kit|notes|ring\./.test(path) ? read(streams(given)) : read(streams(given), 1.6)),
        ).not.toMatch(/null/)
      }
    }
  })
})

describe('publishing the sample Worlds', () => {
  const origin = testConfig().siteOrigin
  const account = privateKeyToAccount(`0x${'5a'.repeat(32)}`)
  let started: TestServices
  let dispatch: (request: Request) => Promise<Response>
  beforeAll(async () => {
    started = await startServices()
    dispatch = createServicesDispatcher({ services: async () => started.services, validateResponses: true })
  })
  afterAll(() => started.close())

  async function publish(): Promise<readonly string[]> {
    const requests: string[] = []
    const client = servicesClient(account, {
      api: `${origin}/services`,
      siteOrigin: origin,
      chainId: 31_337,
      fetch: (request) => {
        requests.push(`${request.method} ${new URL(request.url).pathname.replace('/services', '')}`)
        return dispatch(request)
      },
    })
    await publishSampleWorlds(account, client)
    return requests.filter((line) => !line.startsWith('GET'))
  }
  const published = async () => {
    const rows = await started.db.sql<{ slug: string; owner: string; version: string }[]>`
      select slug, owner, manifest->>'version' as version from worlds where status = 'active' order by slug`
    return rows.map(
      ({ slug, owner, version }) => `${slug} ${version} ${owner === account.address.toLowerCase()}`,
    )
  }

  test('takes place once, leaves alone what is another’s, and replaces another version', async () => {
    const first = await publish()
    expect(first.filter((line) => line === 'POST /worlds/upload')).toHaveLength(samples.length)
    expect(await publish()).toEqual([])
    await started.db
      .sql`update worlds set version = '0.9.0', manifest = jsonb_set(manifest, '{version}', '"0.9.0"'), bundle_hash = ${'0'.repeat(64)}
      where slug = 'cloth'`
    await started.db
      .sql`update worlds set version = '0.9.0', manifest = jsonb_set(manifest, '{version}', '"0.9.0"'), owner = ${`0x${'1'.repeat(40)}`} where slug = 'harp'`
    const again = await publish()
    expect(again.at(-1)).toMatch(/^PATCH \/worlds\/wld_/)
    const expected = samples.map(({ slug, version }) =>
      slug === 'harp' ? 'harp 0.9.0 false' : `${slug} ${version} true`,
    )
    expect(await published()).toEqual(expected.toSorted())
  })
})
