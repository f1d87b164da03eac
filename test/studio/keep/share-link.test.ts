import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { partWith, withDocument, withFreeIdentity, withIds } from '#lib/studio/document/adopt.ts'
import { withWorlds } from '#lib/studio/document/attached-worlds.ts'
import { copy, paste } from '#lib/studio/document/clip.ts'
import { renameEverywhere } from '#lib/studio/document/commands/entries.ts'
import { type Opened, readFile, writeFile } from '#lib/studio/document/file.ts'
import { merge } from '#lib/studio/document/merge.ts'
import { referencesOf } from '#lib/studio/document/node-ref.ts'
import { EMPTY_VIEW, newId, type StudioDocument, tabKey } from '#lib/studio/document/types.ts'
import {
  draftHref,
  fitsLink,
  MAX_LINK_LENGTH,
  readSharedAddress,
  unpackDraft,
} from '#lib/studio/keep/link.ts'
import { arbitraryDocument } from '../document/commands-arbitrary.ts'
import { codeEntry, connectorEntry, dimension } from '../document/entries.ts'
import { likelyDocument } from '../document/likely-document.ts'

async function unpack(href: string) {
  const address = readSharedAddress(new URL(href, 'http://site').hash)
  if (address?.kind !== 'draft') throw new Error('no draft')
  return unpackDraft(address.packed)
}

/** Ids by the order in which they occur, so that equal documents compare equal. */
function canonical(opened: Opened): Opened {
  let ids = 0
  return withIds(opened, () => `id${ids++}`)
}

function opened(made: StudioDocument): Opened {
  const ids = new Set(made.entries.map(({ id }) => id))
  const document = withWorlds(
    { ...made, places: made.places.filter(({ entryId }) => ids.has(entryId)) },
    (made.worlds ?? []).filter(({ of }) => ids.has(of.replace('entry/', ''))),
  )
  const first = document.entries.find(({ kind }) => kind === 'connector') ?? document.entries[0]
  const tab = { kind: 'entry', entryId: first?.id ?? '' } as const
  return { document, view: first === undefined ? EMPTY_VIEW : { tabs: [tab], active: tabKey(tab) } }
}

describe('a link that holds a whole draft', () => {
  const made = opened({ places: [], entries: [codeEntry('a', 'step', 'return x;')] })

  test.each([
    ['a full stop', (link: string) => `${link}.`],
    ['a bracket and a comma', (link: string) => `${link}),`],
    ['quotes', (link: string) => `${link}”»`],
    ['an angle bracket', (link: string) => `${link}>`],
    ['what a network adds', (link: string) => `${link}?fbclid=abc`],
    ['marks of emphasis', (link: string) => `${link}_`],
    ['an escaped fragment', (link: string) => link.replace('#draft=', '#draft%3D')],
    ['one escaped twice', (link: string) => link.replace('#draft=', '#draft%253D')],
    ['a mark that nobody sees', (link: string) => `${link.slice(0, 30)}\u200b${link.slice(30)}`],
    ['a break of a line', (link: string) => `${link.slice(0, 30)}%0A${link.slice(30)}`],
  ])('opens with what messengers do to it: %s', async (_, change) => {
    const read = await unpack(change(await draftHref(made)))
    if (!read.ok) throw new Error(read.problems.join())
    expect(canonical(read)).toEqual(canonical(made))
  })

  test('gives 500 random documents back as they were, with new ids', async () => {
    let fit = 0
    const documents = fc.oneof(arbitraryDocument, likelyDocument).filter(({ entries }) => entries.length > 0)
    await fc.assert(
      fc.asyncProperty(documents, async (made) => {
        const sent = opened(made)
        const href = await draftHref(sent)
        if (!fitsLink(href)) return
        fit++
        expect(href).toMatch(/^\/studio#draft=[\w-]+$/)
        const read = await unpack(href)
        if (!read.ok) throw new Error(read.problems.join())
        expect(canonical(read)).toEqual(canonical(sent))
        const [before] = sent.document.entries
        expect(read.document.entries.map(({ id }) => id)).not.toContain(before?.id)
      }),
      { numRuns: 500 },
    )
    expect(fit).toBeGreaterThan(450)
  })

  test('of a large draft is too long to be passed on, and opens up to a bound', async () => {
    const noise = Array.from({ length: 600 }, () => newId()).join(' ')
    const href = await draftHref(opened({ entries: [codeEntry('t', 'noise', `// ${noise}`)], places: [] }))
    expect(href.length).toBeGreaterThan(MAX_LINK_LENGTH)
    expect(fitsLink(href)).toBe(false)
    expect(await unpack(href)).toMatchObject({ ok: true })
    expect(await unpack(href.padEnd(600_000, 'A'))).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('longer than')],
    })
  })
})

describe('a hostile link ends in one sentence', () => {
  const pack = (text: string | Uint8Array) => deflateRawSync(text).toString('base64url')
  const file = (document: unknown, more = {}) =>
    pack(JSON.stringify({ weft: 'studio', version: 1, document, view: EMPTY_VIEW, ...more }))
  const transformation = codeEntry('t', 'add', 'return x;')
  const broken = 'This link does not hold a draft'

  test.each([
    ['nothing', '', broken],
    ['text that is not base64', 'a+b/=%00<script>', broken],
    ['noise', Buffer.from('no deflate at all').toString('base64url'), broken],
    ['a part of one', file({ entries: [transformation], places: [] }).slice(0, 40), broken],
    ['bytes that are no text', pack(new Uint8Array([0xff, 0xfe, 0xfd])), broken],
    ['what no file may hold', file({ entries: [transformation], places: [], script: 'alert(1)' }), broken],
    ['no content', file({ entries: [], places: [] }), 'without content'],
    ['a newer version', file({}, { version: 2 }), 'made by a newer version'],
    ['a bomb', pack('a'.repeat(4_000_000)), 'larger than 1 MiB'],
    ['a bomb of brackets', pack('['.repeat(1_000_000)), broken],
    ['a long one', 'A'.repeat(10_000_000), 'longer than'],
  ])('%s', async (_what, packed, sentence) => {
    const read = await unpackDraft(packed)
    expect(read).toMatchObject({ ok: false, problems: [expect.stringContaining(sentence)] })
  })

  test('names of markup and of prototypes are data', async () => {
    const entries = [
      codeEntry('__proto__', '<img src=x onerror=alert(1)>', '</script><script>'),
      codeEntry('constructor', '__proto__', 'return x;'),
    ]
    const read = await unpackDraft(file({ entries, places: [] }))
    if (!read.ok) throw new Error(read.problems.join())
    expect(read.document.entries.map(({ name }) => name)).toEqual(entries.map(({ name }) => name))
  })

  test('whatever it holds, nothing is thrown', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.base64String(), fc.json().map(pack)), async (packed) => {
        const read = await unpackDraft(packed)
        expect(read.ok || read.problems.length === 1).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

const FREE = { find: () => 'absent' as const, read: async () => [] }

describe('what is kept of a link', () => {
  test('stands beside what is there under free names; references, places and Worlds follow', async () => {
    const melody = connectorEntry('c', 'melody', [
      dimension('d', { calls: [{ id: 'x', name: 'climb', args: ['1'] }] }),
      dimension('e', { composite: 'melody_2' }),
    ])
    const shared: Opened = {
      document: {
        entries: [
          melody,
          connectorEntry('c2', 'melody_2', [dimension('f')]),
          codeEntry('t', 'climb', 'return x;'),
        ],
        places: [{ entryId: 'c', node: 'own/c2', x: 1, y: 2 }],
        worlds: [{ of: 'entry/c', world: 'w', slots: [{ slot: 's', connector: 'melody_2' }] }],
      },
      view: { tabs: [{ kind: 'entry', entryId: 'c' }], active: 'entry/c' },
    }
    const own: StudioDocument = {
      entries: [connectorEntry('c', 'melody'), codeEntry('t', 'climb', 'return 2;')],
      places: [],
    }
    const added = await withFreeIdentity(shared, own, FREE, newId)
    const all = withDocument(own, added.document)
    expect(all.entries.slice(0, 2)).toEqual(own.entries)
    const names = all.entries.map(({ kind, name }) => `${kind}/${name}`)
    expect(new Set(names).size).toBe(names.length)
    const [first, second] = added.document.entries
    if (first?.kind !== 'connector' || second === undefined) throw new Error('no connector')
    expect(referencesOf(first).map(({ name }) => name)).toEqual(['climb_2', second.name])
    expect(added.document.places).toEqual([{ entryId: first.id, node: `own/${second.id}`, x: 1, y: 2 }])
    expect(added.document.worlds).toEqual([
      { of: `entry/${first.id}`, world: 'w', slots: [{ slot: 's', connector: second.name }] },
    ])
    expect(added.view.active).toBe(`entry/${first.id}`)
    // It is a document like any other.
    const read = readFile(writeFile({ document: all, view: added.view }), newId)
    expect(read.ok && read.document).toEqual(all)
  })

  test('and a part of a draft is shared with all that it is made of, and nothing else', () => {
    const document: StudioDocument = {
      entries: [
        connectorEntry('a', 'song', [
          dimension('d', { composite: 'part', bindings: [{ slot: 0, name: 'loop' }] }),
        ]),
        connectorEntry('b', 'part', [dimension('e', { calls: [{ id: 'x', name: 'add', args: [] }] })]),
        connectorEntry('l', 'loop', [dimension('f', { composite: 'song' })]),
        codeEntry('t', 'add', 'return x;'),
        codeEntry('p', 'private', 'return 7;'),
      ],
      places: [
        { entryId: 'a', node: 'own/b', x: 0, y: 0 },
        { entryId: 'p', node: 'own/p', x: 0, y: 0 },
      ],
      worlds: [
        { of: 'entry/a', world: 'w' },
        { of: 'published/connector/weave', world: 'w' },
      ],
    }
    const part = partWith(document, 'a')
    expect(part.document.entries.map(({ id }) => id)).toEqual(['a', 'b', 'l', 't'])
    expect(part.document.places).toHaveLength(1)
    expect(part.document.worlds).toEqual([{ of: 'entry/a', world: 'w' }])
    expect(part.view.active).toBe('entry/a')
  })
})

describe('what an entry was made from', () => {
  const madeFrom = {
    kind: 'connector',
    name: 'weave',
    owner: `0x${'ab'.repeat(20)}`,
    contentHash: `0x${'cd'.repeat(32)}`,
  } as const
  const remix = connectorEntry('c', 'weave_2', [dimension('d')], { madeFrom })

  test('survives a new name, a file, a link, a copy and a merge', async () => {
    const document = { entries: [remix], places: [] }
    const renamed = renameEverywhere(document, { entryId: 'c', name: 'mine' })
    const theirs = { entries: [...document.entries, codeEntry('t', 'add', 'return x;')], places: [] }
    const merged = merge(document, renamed, theirs, newId)
    const sent = { document: merged, view: { tabs: [], active: null } }
    const linked = await unpack(await draftHref(sent))
    const read = readFile(writeFile(sent), newId)
    if (!linked.ok || !read.ok) throw new Error('not read')
    const clip = copy(merged, [{ kind: 'entry', entryId: 'c' }])
    const pasted = clip && paste(merged, clip, { at: undefined, newId }).document
    for (const each of [renamed, merged, linked.document, read.document]) {
      expect(each.entries[0]).toMatchObject({ name: 'mine', madeFrom })
    }
    expect(pasted?.entries.at(-1)).toMatchObject({ name: 'mine_2', madeFrom })
  })

  test.each([
    { ...madeFrom, owner: 'javascript:alert(1)' },
    { ...madeFrom, contentHash: '0x00' },
    { ...madeFrom, kind: 'world' },
    { ...madeFrom, name: '' },
    { ...madeFrom, more: 1 },
    { kind: 'connector' },
  ])('is refused when it is %j', (wrong) => {
    const text = JSON.stringify({
      weft: 'studio',
      version: 1,
      document: { entries: [{ ...remix, madeFrom: wrong }], places: [] },
      view: EMPTY_VIEW,
    })
    expect(readFile(text, newId).ok).toBe(false)
  })
})
