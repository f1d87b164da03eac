import { describe, expect, it } from 'vitest'
import { MAX_PATH_SOUNDS, soundKey, withPathSound } from '#lib/engine/sound/settings.ts'
import { copy, paste } from '#lib/studio/document/clip.ts'
import { changeSound } from '#lib/studio/document/commands/connector.ts'
import { createStudioStore } from '#lib/studio/document/store.ts'
import { EMPTY_VIEW, newId } from '#lib/studio/document/types.ts'
import { connectorEntry, documentOf } from '#test/studio/document/entries.ts'

describe('how a connector sounds', () => {
  it('names a path by its dimensions, not by the connectors on its way', () => {
    expect(soundKey('/song:0')).toBe('0')
    expect(soundKey('/song:12/pitch:3/toString:0')).toBe('12/3/0')
  })

  it('is undone and redone, and a drag is one step', () => {
    const store = createStudioStore(
      { document: documentOf(connectorEntry('c', 'a')), view: EMPTY_VIEW },
      () => 0,
    )
    const soundOf = () => {
      const [entry] = store.getState().document.entries
      return entry?.kind === 'connector' ? entry.sound : undefined
    }
    for (const bpm of [100, 101, 102]) {
      store.edit(
        'Change tempo',
        (document) => changeSound(document, { entryId: 'c', change: (sound) => ({ ...sound, bpm }) }),
        { merge: 'sound/bpm/c' },
      )
    }
    expect(soundOf()).toEqual({ bpm: 102 })
    store.undo()
    expect(soundOf()).toBeUndefined()
    store.redo()
    expect(soundOf()).toEqual({ bpm: 102 })
  })

  it('goes along when its connector is copied', () => {
    const sound = { bpm: 77, paths: [{ path: '0', instrument: 'bell' }] } as const
    const document = documentOf({ ...connectorEntry('c', 'a'), sound })
    const clip = copy(document, [{ kind: 'entry', entryId: 'c' }])!
    const pasted = paste(document, clip, { at: undefined, newId })
    expect(pasted.document.entries[1]).toMatchObject({ name: 'a_2', sound })
  })

  it('changes one path at a time, keeps no empty fields, and is bounded', () => {
    const once = withPathSound({}, '0', { muted: true, scale: 'blues' })
    const twice = withPathSound(withPathSound(once, '1', { octave: 2 }), '0', { scale: undefined })
    expect(twice.paths).toStrictEqual([
      { path: '0', muted: true },
      { path: '1', octave: 2 },
    ])
    let many = twice
    for (let path = 0; path < MAX_PATH_SOUNDS + 9; path++)
      many = withPathSound(many, String(path), { muted: false })
    expect(many.paths).toHaveLength(MAX_PATH_SOUNDS)
  })
})
