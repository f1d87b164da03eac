import { describe, expect, test } from 'vitest'
import type { ConnectorDefinition } from '#lib/protocol/definition.ts'
import type { LibraryConnector } from '#lib/studio/document/parts.ts'
import type { StudioDocument } from '#lib/studio/document/types.ts'
import { MAX_LINK_LENGTH, unpackDraft } from '#lib/studio/keep/link.ts'
import { keepHref, knobsOf, readLive } from '#lib/studio/live/live-document.ts'
import { publishedConnector } from '../document/entries.ts'

/* The document that the player on public pages makes of a published connector. */

const HASH = `0x${'04'.repeat(32)}` as const

type Dimension = ConnectorDefinition['dimensions'][number]

function published(name: string, ...dimensions: Partial<Dimension>[]): LibraryConnector {
  const plain = publishedConnector(name, '')
  const whole = dimensions.map((each) => ({ transformations: [], composite: '', bindings: [], ...each }))
  return {
    ...plain,
    owner: `0x${'cd'.repeat(20)}`,
    contentHash: HASH,
    definition: { ...plain.definition, dimensions: whole },
  }
}

function call(name: string, ...args: number[]) {
  return { name, args }
}

function network(...connectors: LibraryConnector[]) {
  const read: string[] = []
  return {
    read,
    from: async (names: readonly { readonly name: string }[]) => {
      read.push(...names.map(({ name }) => name))
      return connectors.filter((each) => names.some(({ name }) => name === each.name))
    },
  }
}

async function namesOf(...connectors: LibraryConnector[]) {
  const live = await readLive(connectors[0]!.name, network(...connectors).from)
  return live && knobsOf(live.document).map(({ knob, value }) => [knob.name, value, knob.min, knob.max])
}

describe('knobs of a connector without any', () => {
  test('are one number of each dimension, then a start; phrases bring their names and ranges', async () => {
    const song = published(
      'song',
      { transformations: [call('cycle', 3, 16), call('cycle', 5, 16)] },
      { transformations: [call('wobble', 0, 7)] },
    )
    expect(await namesOf(song)).toEqual([
      ['cycle step', 3, 0, 24],
      ['wobble', 7, 0, 14],
      ['start 1', 0, 0, 8],
    ])
  })

  test('are those of its parts where it has none of its own, and only these parts are changed', async () => {
    const parts = [
      published('song', { composite: 'voice', bindings: [{ slot: 0, name: 'plain' }] }),
      published('voice', { transformations: [call('add', 2)] }, { composite: 'deep' }),
      published('deep', { transformations: [call('noise', 4_000_000_000)] }),
      published('plain', {}),
    ]
    const live = await readLive('song', network(...parts).from)
    expect(knobsOf(live!.document).map(({ knob }) => knob.name)).toEqual(['voice step'])
    expect(live!.document.entries.map(({ name }) => name)).toEqual(['song', 'voice'])
  })

  test('are the same whatever order the parts are read in', async () => {
    const song = published('song', { composite: 'low' }, { composite: 'high' }, { composite: 'beat' })
    const parts = ['low', 'high', 'beat'].map((name, index) =>
      published(name, { transformations: [call('add', index + 1)] }),
    )
    const knobs = await namesOf(song, ...parts)
    expect(knobs?.map(([title, value]) => [title, value])).toEqual([
      ['low step', 1],
      ['high step', 2],
      ['beat step', 3],
    ])
    expect(await namesOf(song, ...parts.toReversed())).toEqual(knobs)
  })

  test('are named by what the dimension moves: its composite, or what fills its slot', async () => {
    const song = published(
      'song',
      {
        transformations: [call('bounce_between', 1, 0, 39)],
        composite: 'voice',
        bindings: [{ slot: 0, name: 'pitch' }],
      },
      { transformations: [call('odd', 1)], composite: 'time' },
    )
    const voice = published(
      'voice',
      { transformations: [call('cycle', 3, 16)] },
      { transformations: [call('add', 1)] },
    )
    const names = (await namesOf(song, voice, published('time', {}), published('pitch', {})))?.map(
      ([name]) => name,
    )
    expect(names).toEqual(['voice step', 'odd', 'pitch step'])
  })

  test('are named by words, not by the number of an argument', async () => {
    const euclid = { transformations: [call('euclid', 3, 8), call('euclid', 5, 8)] }
    const names = (await namesOf(published('drums', euclid, euclid)))?.map(([name]) => String(name)) ?? []
    expect(names.length).toBeGreaterThan(1)
    for (const name of names) expect(name).not.toMatch(/argument|\d \d/)
    expect(new Set(names).size).toBe(names.length)
  })

  test('are none where there is nothing to turn', async () => {
    expect(await namesOf(published('song', { composite: 'gone' }))).toEqual([])
  })
})

test('a circle and a wide network are read within bounds', async () => {
  const wide = Array.from({ length: 60 }, (_, index) => published(`part${index}`, { composite: 'song' }))
  const root = published('song', ...wide.map(({ name }) => ({ composite: name })))
  const { read, from } = network(root, ...wide)
  expect(await readLive('song', from)).toBeDefined()
  expect(read.length).toBeLessThanOrEqual(24)
  expect(await readLive('nobody', from)).toBeUndefined()
})

test('what is kept is a draft with its knobs, its sound and its World, however long it is', async () => {
  const song = published('song', { transformations: [call('cycle', 3, 16)] })
  const live = await readLive('song', network(song).from)
  const href = await keepHref(live!, { bpm: 120 }, 'world-id')
  const read = await unpackDraft(href.slice('/studio#draft='.length))
  if (!read.ok) throw new Error(read.problems.join())
  const [entry] = read.document.entries
  expect(entry).toMatchObject({ name: 'song', sound: { bpm: 120 }, madeFrom: { contentHash: HASH } })
  expect(read.document.worlds).toEqual([{ of: `entry/${entry?.id}`, world: 'world-id' }])

  const noise = Array.from({ length: 3000 }, (_, index) => call(`x${(index * 7919) % 9973}`, index))
  const long = await readLive('song', network(published('song', { transformations: noise })).from)
  const longHref = await keepHref(long!, {}, undefined)
  expect(longHref.length).toBeGreaterThan(MAX_LINK_LENGTH)
  const kept = await unpackDraft(longHref.slice('/studio#draft='.length))
  if (!kept.ok) throw new Error(kept.problems.join())
  const calls = ({ entries }: StudioDocument) =>
    entries
      .flatMap((each) => (each.kind === 'connector' ? each.dimensions : []))
      .flatMap((each) => each.calls)
  expect(calls(kept.document).map(({ name }) => name)).toEqual(noise.map(({ name }) => name))
})
