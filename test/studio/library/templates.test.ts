import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PreviewAnswer } from '#lib/server/operations/studio/preview-schemas.ts'
import { withFreeNames } from '#lib/studio/document/free-names.ts'
import { type Library, partsOf } from '#lib/studio/document/parts.ts'
import { problems } from '#lib/studio/document/problems.ts'
import { documentSchema } from '#lib/studio/document/schema.ts'
import { EMPTY_DOCUMENT, newId, type StudioDocument } from '#lib/studio/document/types.ts'
import { entriesOf, TEMPLATES, type Template, valuesOf, withoutKnown } from '#lib/studio/library/templates.ts'
import { sliceOf } from '#lib/studio/runs/slice.ts'
import { startApi, type TestApi } from '#test/support/api.ts'

const NOTHING: Library = { find: () => 'absent' }
const COUNT = 64

let api: TestApi

beforeAll(async () => {
  api = await startApi('studio')
})
afterAll(() => api?.close())

function documentOf(template: Template): StudioDocument {
  return { ...EMPTY_DOCUMENT, entries: entriesOf(template, newId) }
}

test.each(TEMPLATES)(
  '$title is a whole document whose picture shows what it really generates',
  async (template) => {
    const document = documentOf(template)
    expect(documentSchema.safeParse(document).success).toBe(true)
    expect(problems(document, NOTHING)).toEqual([])
    const root = document.entries[0]!
    if (root.kind !== 'connector') throw new Error('A template begins with its connector')
    const { json } = await api.post('/preview', {
      ...sliceOf(document, root),
      particles_count: COUNT,
      dynamic_ri: {},
    })
    const { result } = json as unknown as PreviewAnswer
    if (result.outcome !== 'particles') throw new Error(JSON.stringify(result))
    expect(result.particles.map(({ data }) => data)).toEqual(valuesOf(template, COUNT))
    // Each stream has settings, so that it sounds as intended at once.
    expect(template.sound.paths?.map(({ path }) => path)).toEqual(
      template.streams.map((_, index) => String(index)),
    )
  },
)

test('each template opens in a World of its own kind, never as a chart of its numbers', () => {
  for (const { title, world } of TEMPLATES) {
    expect([title, world]).not.toEqual([title, undefined])
    expect([title, world]).not.toEqual([title, 'plain-chart'])
  }
})

test('a function that the document has, or the network by its name, is called as it is, not once more as climb_2', () => {
  const melody = TEMPLATES[0]!
  const kinds = (entries: readonly { kind: string; name: string }[]) =>
    entries.map(({ kind, name }) => `${kind}/${name}`)
  const fresh = () => entriesOf(melody, newId)
  const has = (name: string) => name === 'cycle'
  expect(kinds(withoutKnown(fresh(), EMPTY_DOCUMENT, has))).toEqual(['connector/melody'])
  expect(kinds(withoutKnown(fresh(), documentOf(melody), () => false))).toEqual(['connector/melody'])
  // Another body of that name in the document would be called in its place.
  const [other] = documentOf(melody).entries.slice(1)
  if (other === undefined || other.kind === 'connector') throw new Error('A melody has a body')
  const mine = { ...EMPTY_DOCUMENT, entries: [{ ...other, source: 'return x;' }] }
  expect(kinds(withoutKnown(fresh(), mine, has))).toEqual(['connector/melody', 'transformation/cycle'])
})

test('names are free in the document, among drafts and on chain, and references follow', async () => {
  const template = TEMPLATES[0]!
  const asked: string[] = []
  const library = {
    find: () => 'unknown' as const,
    read: async (names: readonly { kind: string; name: string }[]) => {
      asked.push(...names.map(({ kind, name }) => `${kind}/${name}`))
      return names.flatMap(({ kind, name }) =>
        kind === 'transformation' && (name === 'cycle' || name === 'cycle_2')
          ? [{ kind, name, owner: '0x01', address: undefined, contentHash: '0x02', argsCount: 2 } as const]
          : [],
      )
    },
  }
  const before = documentOf(template)
  const entries = await withFreeNames(entriesOf(template, newId), before, library)
  expect(entries.map(({ kind, name }) => `${kind}/${name}`)).toEqual([
    'connector/melody_2',
    'transformation/cycle_3',
  ])
  expect(asked).not.toContain('connector/melody')
  const document = { ...EMPTY_DOCUMENT, entries }
  expect(problems(document, NOTHING)).toEqual([])
  const [root] = entries
  const used =
    root?.kind === 'connector' ? root.dimensions.flatMap(({ calls }) => calls.map(({ name }) => name)) : []
  expect(new Set(used)).toEqual(new Set(['cycle_3']))
  expect(typeof partsOf(document, NOTHING).find('transformation', 'cycle_3')).toBe('object')
})

test('names are found without a connection, too', async () => {
  const offline = {
    find: (_kind: string, name: string) =>
      name === 'melody'
        ? ({
            kind: 'transformation',
            name,
            owner: '0x01',
            address: '0x02',
            contentHash: '0x03',
            argsCount: 0,
          } as const)
        : ('unknown' as const),
    read: async () => {
      throw new Error('No connection')
    },
  }
  const entries = await withFreeNames(entriesOf(TEMPLATES[0]!, newId), EMPTY_DOCUMENT, offline)
  expect(entries.map(({ name }) => name)).toEqual(['melody_2', 'cycle'])
})
