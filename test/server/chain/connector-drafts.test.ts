import { describe, expect, test } from 'vitest'
import { bareAddress } from '#lib/protocol/address.ts'
import type { BuiltConnector } from '#lib/protocol/artifact.ts'
import { messageOf } from '#test/support/api.ts'
import {
  alice,
  api,
  asAlice,
  condition,
  connector,
  contentHash,
  draftsApi,
  fresh,
  stranger,
  transformation,
} from './drafts-api.ts'
import { draftArtifact, project } from './projection.ts'

draftsApi()

describe('POST_connector', () => {
  test('201 with the format hash; reads write every field', async () => {
    const token = await api.token(alice)
    const created = await connector(
      'rich',
      [
        { transformations: [{ name: 'add', args: [3] }, { name: 'same' }] },
        { transformations: [], composite: 'pair', bindings: { '1': 'time', '0': 'pitch' } },
      ],
      token,
      {
        condition_name: 'above',
        condition_args: [-5, 2147483647],
        static_ri: { '7': ri(1, 2), '0': ri(4294967295, 0) },
      },
    )
    expect(created.status).toBe(201)
    expect(created.json).toEqual({
      name: 'rich',
      owner: bareAddress(alice),
      address: '0x0',
      format_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const read = await api.send('GET', '/connector/rich')
    expect(read.status).toBe(200)
    expect(read.json).toEqual({
      name: 'rich',
      dimensions: [
        {
          transformations: [
            { name: 'add', args: [3] },
            { name: 'same', args: [] },
          ],
          composite: '',
          bindings: {},
        },
        { transformations: [], composite: 'pair', bindings: { '0': 'pitch', '1': 'time' } },
      ],
      condition_name: 'above',
      condition_args: [-5, 2147483647],
      static_ri: { '0': ri(4294967295, 0), '7': ri(1, 2) },
      owner: bareAddress(alice),
      address: '0x0',
      format_hash: (created.json as { format_hash: string }).format_hash,
    })
    const plain = await api.send('GET', '/connector/pitch')
    expect(plain.json).toMatchObject({
      condition_name: '',
      condition_args: [],
      static_ri: {},
      format_hash: '4e5aa46feeb2db48b7df17d424f29bfdee2ccbfdf2433a99da6be58d3c9e3101',
    })
  })

  test('names like __proto__ are ordinary everywhere in a definition', async () => {
    const token = await stranger()
    await transformation('__proto__', 'return x;', token)
    await condition('constructor_', 'return true;', token)
    await connector('toString', [{ transformations: [{ name: '__proto__' }] }], token)
    await connector('__proto__', [{ transformations: [] }], token)
    const made = await connector(
      'valueOf',
      [{ transformations: [], composite: 'toString', bindings: { '0': '__proto__' } }],
      token,
      { condition_name: 'constructor_' },
    )
    expect(made.status).toBe(201)
    expect((await api.send('GET', '/connector/valueOf')).json).toMatchObject({
      dimensions: [{ composite: 'toString', bindings: { '0': '__proto__' } }],
    })
  })

  test.each<[string, unknown, RegExp, Record<string, unknown>?]>([
    ['no dimensions', [], /dimension/],
    ['argument count', [{ transformations: [{ name: 'add' }] }], /TransformationArgumentsMismatch: add/],
    ['negative argument', [{ transformations: [{ name: 'add', args: [-1] }] }], /args/],
    ['slot key 01', [{ transformations: [], composite: 'pair', bindings: { '01': 'time' } }], /01/],
    ['static key 01', [{ transformations: [] }], /01/, { static_ri: { '01': ri(0, 0) } }],
    [
      'condition argument over int32',
      [{ transformations: [] }],
      /condition_args/,
      { condition_name: 'above', condition_args: [1, 2147483648] },
    ],
    ['null for a list', null, /dimensions/],
    ['unknown field', [{ transformations: [], slot_bindings: {} }], /slot_bindings/],
  ])('400, and nothing is left behind: %s', async (_what, dimensions, text, rest) => {
    const answer = await connector('bad', dimensions, asAlice, rest)
    expect(answer.status).toBe(400)
    expect(messageOf(answer)).toMatch(text)
    expect((await api.send('GET', '/connector/bad')).status).toBe(404)
  })

  test('409: another account’s draft, and a published name', async () => {
    const name = fresh()
    expect((await connector(name, [{ transformations: [] }], await stranger())).status).toBe(201)
    expect((await connector(name, [{ transformations: [] }], await stranger())).status).toBe(409)
    const published = fresh()
    const owner = await stranger()
    await connector(published, [{ transformations: [] }], owner)
    await project(api.db, await draftArtifact(api.db, 'connector', published))
    expect((await connector(published, [{ transformations: [] }], owner)).status).toBe(409)
  })

  test('a connector retains the artifacts it was built against until it is posted again', async () => {
    const token = await stranger()
    const [part, whole] = [fresh(), fresh()]
    await transformation(part, 'return x + 1;', token)
    await connector(whole, [{ transformations: [{ name: part }] }], token)
    const built = (await draftArtifact(api.db, 'connector', whole)) as BuiltConnector
    const first = await contentHash('transformation', part)
    expect(built.dependencies).toEqual([{ kind: 'transformation', name: part, contentHash: first }])

    await transformation(part, 'return x + 2;', token)
    expect(await contentHash('connector', whole)).toBe(built.contentHash)

    expect((await connector(whole, [{ transformations: [{ name: part }] }], token)).status).toBe(201)
    const rebuilt = (await draftArtifact(api.db, 'connector', whole)) as BuiltConnector
    expect(rebuilt.contentHash).not.toBe(built.contentHash)
    expect(rebuilt.dependencies[0]?.contentHash).toBe(await contentHash('transformation', part))
  })

  test('a published part wins over a draft of the same name', async () => {
    const [part, whole] = [fresh(), fresh()]
    await transformation(part, 'return x;', await stranger())
    const other = {
      ...(await draftArtifact(api.db, 'transformation', part)),
      argsCount: 2,
      contentHash: `0x${'5'.repeat(64)}` as const,
    }
    await project(api.db, other as never)
    expect((await connector(whole, [{ transformations: [{ name: part }] }], await stranger())).status).toBe(
      400,
    )
    const made = await connector(
      whole,
      [{ transformations: [{ name: part, args: [1, 2] }] }],
      await stranger(),
    )
    expect(made.status).toBe(201)
    const built = (await draftArtifact(api.db, 'connector', whole)) as BuiltConnector
    expect(built.dependencies[0]?.contentHash).toBe(other.contentHash)
  })

  test('a word that creation reserves may be a part where the registry has it, and no new name', async () => {
    const token = await stranger()
    await project(api.db, { ...(await draftArtifact(api.db, 'transformation', 'same')), name: 'uint8' })
    expect((await connector(fresh(), [{ transformations: [{ name: 'uint8' }] }], token)).status).toBe(201)
    expect((await transformation('uint8', 'return x;', token)).status).toBe(400)
  })

  test('400: a registered part that nothing on chain proves', async () => {
    const part = fresh()
    const other = fresh()
    await transformation(other, 'return x;', await stranger())
    const artifact = await draftArtifact(api.db, 'transformation', other)
    await project(api.db, { ...artifact, name: part }, { verified: false })
    const answer = await connector(fresh(), [{ transformations: [{ name: part }] }], await stranger())
    expect(answer.status).toBe(400)
    expect(messageOf(answer)).toContain(`TransformationMissing: ${part}`)
  })

  test('400: a circle of names that revisions would close', async () => {
    const token = await stranger()
    const [a, b, c] = [fresh(), fresh(), fresh()]
    await connector(a, [{ transformations: [] }], token)
    await connector(b, [{ transformations: [], composite: a }], token)
    await connector(c, [{ transformations: [], composite: b }], token)
    const answer = await connector(a, [{ transformations: [], composite: c }], token)
    expect(answer.status).toBe(400)
    expect(messageOf(answer)).toContain(`ConnectorMissing: ${a}`)
    expect((await connector(c, [{ transformations: [], composite: a }], token)).status).toBe(201)
  })
})

function ri(start: number, shift: number) {
  return { start_point: start, transformation_shift: shift }
}
