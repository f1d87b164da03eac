import { beforeAll, describe, expect, it } from 'vitest'
import { arrange } from '#lib/engine/sound/arrangement.ts'
import { writeMidi } from '#lib/engine/sound/midi-file.ts'
import { soundOf } from '#lib/engine/sound/presented-sound.ts'
import { presentationProblem } from '#lib/protocol/presentation.ts'
import { EMPTY_DOCUMENT, newId } from '#lib/studio/document/types.ts'
import { presentationOf } from '#lib/studio/piece/presentation-of.ts'
import { withPresentation } from '#lib/studio/piece/presented.ts'
import { exampleNetwork, examplePieces } from '#scripts/example-network/network.ts'
import { runsOffline } from '#scripts/example-network/run-offline.ts'
import { measureNotes, measureSound, rendered } from '#scripts/pieces/measures.ts'
import { compileOnce } from '#test/support/compiled-bodies.ts'

/* The exhibition: each piece of the example network, rendered for some seconds as its author's words have it. */

const SECONDS = 6

let run: ReturnType<typeof runsOffline>

beforeAll(() => {
  run = runsOffline(exampleNetwork, compileOnce)
})

function streamsOf({ name, present }: (typeof examplePieces)[number]) {
  return run(name, present.particles).map(({ path, data }) => ({ path, data: [...data] }))
}

describe('the pieces of the example network', () => {
  it('are at least 24, in three sentences each, with knobs that can be turned', () => {
    expect(examplePieces.length).toBeGreaterThanOrEqual(24)
    for (const { name, title, description, present } of examplePieces) {
      const { world: _, ...words } = present
      expect([name, presentationProblem(words)]).toEqual([name, undefined])
      expect(title.length).toBeLessThanOrEqual(40)
      expect(description.split(/(?<=[.!?])\s+(?=[A-Z])/).length, name).toBeGreaterThanOrEqual(2)
      expect(present.knobs?.length, name).toBeGreaterThanOrEqual(1)
    }
  })

  it.each(examplePieces)('$title sounds: level, clicks, velocities, consonance', (piece) => {
    const { present, consonant } = piece
    const arrangement = arrange(streamsOf(piece), soundOf(present))
    const seconds = (arrangement.steps * 60) / present.tempo
    expect(seconds).toBeGreaterThan(4)
    expect(seconds).toBeLessThan(90)
    const heard = Math.min(SECONDS, seconds)
    const sound = measureSound(rendered(arrangement, heard), heard)
    expect(sound.peak).toBeLessThan(-1)
    expect(sound.loudness).toBeGreaterThan(-22)
    expect(sound.loudness).toBeLessThan(-13)
    expect(sound.dc).toBeLessThan(4)
    expect(sound.clicks).toBe(0)
    expect(sound.silence).toBeLessThan(0.4)
    const notes = measureNotes(arrangement)
    expect(notes.notes).toBeGreaterThanOrEqual(16)
    expect(notes.velocities).toBeGreaterThanOrEqual(3)
    expect(notes.outside).toBeLessThanOrEqual(0.05 * notes.notes)
    if (consonant) expect(notes.dissonant).toBeLessThan(0.05)
  })

  it.each(examplePieces)('$title gives the same MIDI file from the studio as from its page', (piece) => {
    const { name, present } = piece
    const streams = streamsOf(piece)
    const { world: _, knobs: __, ...words } = present
    const page = writeMidi(arrange(streams, soundOf(words)))
    expect(page.byteLength).toBeGreaterThan(100)
    // Opened in the studio, and published from there again.
    const empty = {
      kind: 'connector',
      id: newId(),
      name,
      dimensions: [],
      condition: null,
      staticRi: [],
    } as const
    const opened = withPresentation(empty, words)
    expect(writeMidi(arrange(streams, opened.sound ?? {}))).toEqual(page)
    const again = presentationOf({ ...EMPTY_DOCUMENT, entries: [opened] }, opened, undefined)
    expect(presentationProblem(again)).toBeUndefined()
    expect(writeMidi(arrange(streams, soundOf(again)))).toEqual(page)
  })
})
