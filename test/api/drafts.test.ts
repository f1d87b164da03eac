import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bareAddress } from '../../lib/protocol/address.ts'
import type { BuiltConnector } from '../../lib/protocol/artifact.ts'
import {
  getCondition,
  getConnector,
  getTransformation,
  headCondition,
  headConnector,
  headTransformation,
  postCondition,
  postConnector,
  postTransformation,
} from '../../lib/server/operations/chain/entities.ts'
import { type Answer, messageOf, startApi, type TestApi } from './harness.ts'
import { draftArtifact, project, randomAddress } from './projection.ts'

const operations = [
  getTransformation,
  headTransformation,
  postTransformation,
  getCondition,
  headCondition,
  postCondition,
  getConnector,
  headConnector,
  postConnector,
]

let api: TestApi
const alice = randomAddress()
const bob = randomAddress()
let asAlice: string
let asBob: string

beforeAll(async () => {
  api = await startApi(operations, { maxDraftsPerOwner: 12 })
  asAlice = await api.token(alice)
  asBob = await api.token(bob)
  // Helpers for every test, of an owner of their own.
  const token = await api.token(randomAddress())
  expect((await transformation('add', 'return x + args[0];', token)).status).toBe(201)
  expect((await transformation('same', 'return x;', token)).status).toBe(201)
  expect((await condition('above', 'return args[0] >= args[1];', token)).status).toBe(201)
  expect((await connector('pitch', [{ transformations: [{ name: 'add', args: [1] }] }], token)).status).toBe(
    201,
  )
  expect((await connector('time', [{ transformations: [{ name: 'same' }] }], token)).status).toBe(201)
  expect((await connector('pair', [{ transformations: [] }, { transformations: [] }], token)).status).toBe(
    201,
  )
})
afterAll(() => api.close())

function transformation(name: string, source: string, token: string | undefined = asAlice): Promise<Answer> {
  return api.call('POST', '/transformation', { token, body: { name, sol_src: source } })
}

function condition(name: string, source: string, token: string | undefined = asAlice): Promise<Answer> {
  return api.call('POST', '/condition', { token, body: { name, sol_src: source } })
}

function connector(
  name: string,
  dimensions: unknown,
  token: string | undefined = asAlice,
  rest: Record<string, unknown> = {},
): Promise<Answer> {
  return api.call('POST', '/connector', { token, body: { name, dimensions, ...rest } })
}

let lastName = 0
/** A name nothing else uses. */
function fresh(): string {
  lastName += 1
  return `n${lastName}`
}

/** An account without drafts, so that the limit stays out of the way. */
function stranger(): Promise<string> {
  return api.token(randomAddress())
}

async function contentHash(kind: 'transformation' | 'connector', name: string): Promise<string> {
  return (await draftArtifact(api.db, kind, name)).contentHash
}

describe('POST_transformation and POST_condition', () => {
  test('201: a draft with its args_count; reads answer every field and never the source', async () => {
    const created = await transformation('first', 'return x * args[0] + args[2];')
    expect(created).toMatchObject({
      status: 201,
      body: { name: 'first', owner: bareAddress(alice), address: '0x0', args_count: 3 },
    })
    const read = await api.call('GET', '/transformation/first')
    expect(read.status).toBe(200)
    expect(read.body).toEqual({ name: 'first', owner: bareAddress(alice), address: '0x0', args_count: 3 })

    const made = await condition('first', 'return true;', asBob)
    expect(made).toMatchObject({ status: 201, body: { owner: bareAddress(bob), args_count: 0 } })
    expect((await api.call('GET', '/condition/first')).body).toEqual({
      name: 'first',
      owner: bareAddress(bob),
      address: '0x0',
      args_count: 0,
    })
  })

  test('401 without a valid token, before the body is looked at', async () => {
    for (const path of ['/transformation', '/condition', '/connector']) {
      for (const token of [undefined, 'nonsense', 'a.b.c', `${'a'.repeat(64)}.${'b'.repeat(64)}`]) {
        const answer = await api.call('POST', path, { token, text: '{"broken' })
        expect(answer.status).toBe(401)
        expect(messageOf(answer)).not.toBe('')
      }
    }
  })

  test.each([
    ['no source', { name: 'bad' }],
    ['no name', { sol_src: 'return x;' }],
    ['blank source', { name: 'bad', sol_src: ' \n ' }],
    ['source over 32 KiB', { name: 'bad', sol_src: `return x;${' '.repeat(32 * 1024)}` }],
    ['unknown field', { name: 'bad', sol_src: 'return x;', solSrc: '' }],
    ['number as source', { name: 'bad', sol_src: 1 }],
    ['null', { name: 'bad', sol_src: null }],
    ['syntax error', { name: 'bad', sol_src: 'return x' }],
    ['two functions', { name: 'bad', sol_src: 'return x; } function g() public {' }],
  ])('400, and nothing is left behind: %s', async (_what, body) => {
    expect((await api.call('POST', '/transformation', { token: asAlice, body })).status).toBe(400)
    expect((await api.call('GET', '/transformation/bad')).status).toBe(404)
    expect((await api.call('HEAD', '/transformation/bad')).status).toBe(404)
  })

  test('400 names line and column of the author’s body; the name stays free for anybody', async () => {
    const name = fresh()
    const answer = await transformation(name, 'uint32 y = 1;\nreturn x + z;')
    expect(answer.status).toBe(400)
    expect(messageOf(answer)).toMatch(/2:12|line 2/)
    expect((await transformation(name, 'return x;', await stranger())).status).toBe(201)
  })

  test('names: the pattern, the length and the reserved words', async () => {
    const names = [
      'bad-name',
      '1a',
      '',
      'contract',
      'uint256',
      'bytes32',
      'msg',
      'constructor',
      'assembly',
      'a'.repeat(129),
      'é',
      'a b',
      'a\u0000',
    ]
    for (const name of names) expect((await transformation(name, 'return x;')).status, name).toBe(400)
    const token = await stranger()
    for (const name of [
      '_a',
      'uint7',
      'bytes33',
      'a'.repeat(128),
      'toString',
      '__proto__',
      'hasOwnProperty',
    ]) {
      expect((await transformation(name, 'return x;', token)).status, name).toBe(201)
      expect((await api.call('GET', `/transformation/${name}`)).body).toMatchObject({ name })
    }
  })

  test('kinds are separate namespaces, and names are case-sensitive', async () => {
    const [token, other] = [await stranger(), await stranger()]
    expect((await transformation('Shared', 'return x;', token)).status).toBe(201)
    expect((await condition('Shared', 'return true;', other)).status).toBe(201)
    expect((await transformation('shared', 'return x;', other)).status).toBe(201)
    expect((await api.call('GET', '/connector/Shared')).status).toBe(404)
  })

  test('201: the owner revises a draft; the same source changes nothing', async () => {
    const [name, token] = [fresh(), await stranger()]
    await transformation(name, 'return x;', token)
    const [before] = await api.db.sql`select * from drafts where kind = 'transformation' and name = ${name}`
    expect((await transformation(name, 'return x;', token)).status).toBe(201)
    const [same] = await api.db.sql`select * from drafts where kind = 'transformation' and name = ${name}`
    expect(same).toEqual(before)

    const revised = await transformation(name, 'return x + args[1];', token)
    expect(revised).toMatchObject({ status: 201, body: { args_count: 2 } })
    expect((await api.call('GET', `/transformation/${name}`)).body).toMatchObject({ args_count: 2 })
    const [after] = await api.db.sql`select * from drafts where kind = 'transformation' and name = ${name}`
    expect(after?.content_hash).not.toBe(before?.content_hash)
    expect(after?.source).toBe('return x + args[1];')
  })

  test('a revision that does not compile leaves the draft as it was', async () => {
    const [name, token] = [fresh(), await stranger()]
    await transformation(name, 'return x;', token)
    const before = await contentHash('transformation', name)
    expect((await transformation(name, 'return y;', token)).status).toBe(400)
    expect(await contentHash('transformation', name)).toBe(before)
  })

  test('409: twenty creates of one name by two owners at once, and exactly one owner wins', async () => {
    for (let round = 0; round < 3; round++) {
      const name = fresh()
      const tokens = [await stranger(), await stranger()]
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => transformation(name, 'return x;', tokens[i % 2])),
      )
      const read = await api.call('GET', `/transformation/${name}`)
      const winner = (read.body as { owner: string }).owner
      const won = answers.filter(({ status }) => status === 201)
      expect(won).toHaveLength(10)
      for (const { body } of won) expect(body).toMatchObject({ owner: winner })
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(10)
    }
  })

  test('409: a name published on chain, for its owner and for others', async () => {
    const [name, owner] = [fresh(), randomAddress()]
    const token = await api.token(owner)
    await transformation(name, 'return x;', token)
    const { address } = await project(api.db, await draftArtifact(api.db, 'transformation', name), { owner })
    for (const who of [token, await stranger()]) {
      const answer = await transformation(name, 'return x + 1;', who)
      expect(answer.status).toBe(409)
      expect(messageOf(answer)).toContain('reserved on chain')
    }
    expect((await api.call('GET', `/transformation/${name}`)).body).toEqual({
      name,
      owner: bareAddress(owner),
      address,
      args_count: 0,
    })
  })

  test('429: more drafts than an owner may have; revising still works, and publishing makes room', async () => {
    const owner = randomAddress()
    const token = await api.token(owner)
    const names = Array.from({ length: 13 }, fresh)
    // All at once: the limit must hold against races too.
    const answers = await Promise.all(names.map((name) => transformation(name, 'return x;', token)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(12)
    const refused = names[answers.findIndex(({ status }) => status === 429)] as string
    const kept = names[answers.findIndex(({ status }) => status === 201)] as string
    expect((await api.call('HEAD', `/transformation/${refused}`)).status).toBe(404)
    expect((await transformation(kept, 'return x + 1;', token)).status).toBe(201)
    expect((await connector(fresh(), [{ transformations: [] }], token)).status).toBe(429)

    await project(api.db, await draftArtifact(api.db, 'transformation', kept), { owner })
    expect((await transformation(refused, 'return x;', token)).status).toBe(201)
  })
})

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
    expect(created.body).toEqual({
      name: 'rich',
      owner: bareAddress(alice),
      address: '0x0',
      format_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const read = await api.call('GET', '/connector/rich')
    expect(read.status).toBe(200)
    expect(read.body).toEqual({
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
      format_hash: (created.body as { format_hash: string }).format_hash,
    })
    const plain = await api.call('GET', '/connector/pitch')
    expect(plain.body).toMatchObject({
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
    expect((await api.call('GET', '/connector/valueOf')).body).toMatchObject({
      dimensions: [{ composite: 'toString', bindings: { '0': '__proto__' } }],
    })
  })

  test.each<[string, unknown, RegExp, Record<string, unknown>?]>([
    ['no dimensions', [], /dimension/],
    ['unknown transformation', [{ transformations: [{ name: 'Ghost' }] }], /TransformationMissing: Ghost/],
    ['argument count', [{ transformations: [{ name: 'add' }] }], /TransformationArgumentsMismatch: add/],
    ['negative argument', [{ transformations: [{ name: 'add', args: [-1] }] }], /args/],
    ['unknown composite', [{ transformations: [], composite: 'Ghost' }], /ConnectorMissing: Ghost/],
    [
      'unknown target',
      [{ transformations: [], composite: 'pair', bindings: { 0: 'Ghost' } }],
      /ConnectorMissing: Ghost/,
    ],
    [
      'slot out of range',
      [{ transformations: [], composite: 'pair', bindings: { 2: 'time' } }],
      /ConnectorDimensionsMismatch/,
    ],
    [
      'bindings without a composite',
      [{ transformations: [], bindings: { 0: 'time' } }],
      /ConnectorDimensionsMismatch/,
    ],
    ['slot key 01', [{ transformations: [], composite: 'pair', bindings: { '01': 'time' } }], /01/],
    ['static key 01', [{ transformations: [] }], /01/, { static_ri: { '01': ri(0, 0) } }],
    ['unknown condition', [{ transformations: [] }], /ConditionMissing: Ghost/, { condition_name: 'Ghost' }],
    [
      'condition arguments',
      [{ transformations: [] }],
      /ConditionArgumentsMismatch: above/,
      { condition_name: 'above', condition_args: [1] },
    ],
    [
      'condition argument over int32',
      [{ transformations: [] }],
      /condition_args/,
      { condition_name: 'above', condition_args: [1, 2147483648] },
    ],
    ['itself as a part', [{ transformations: [], composite: 'bad' }], /ConnectorMissing: bad/],
    ['null for a list', null, /dimensions/],
    ['unknown field', [{ transformations: [], slot_bindings: {} }], /slot_bindings/],
  ])('400, and nothing is left behind: %s', async (_what, dimensions, text, rest) => {
    const answer = await connector('bad', dimensions, asAlice, rest)
    expect(answer.status).toBe(400)
    expect(messageOf(answer)).toMatch(text)
    expect((await api.call('GET', '/connector/bad')).status).toBe(404)
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

  test('400: connectors that would have more than 4096 scalars, refused without building them', async () => {
    const token = await stranger()
    const wide = fresh()
    const scalars = Array.from({ length: 100 }, () => ({ transformations: [] }))
    expect((await connector(wide, scalars, token)).status).toBe(201)
    const wider = fresh()
    const dimensions = Array.from({ length: 41 }, () => ({ transformations: [], composite: wide }))
    const answer = await connector(wider, dimensions, token)
    expect(answer.status).toBe(400)
    expect(messageOf(answer)).toContain('4096')
    expect((await connector(wider, dimensions.slice(1), token)).status).toBe(201)
  })
})

describe('GET and HEAD of one entity', () => {
  test.each(['transformation', 'condition', 'connector'])(
    '%s: 400 and 404 with the fixed texts',
    async (kind) => {
      const missing = await api.call('GET', `/${kind}/Ghost`)
      expect(missing.status).toBe(404)
      expect(messageOf(missing)).toBe(`${kind[0]?.toUpperCase()}${kind.slice(1)} not found`)
      for (const name of ['bad-name', 'a'.repeat(129), '%20', '%00', '%FF']) {
        expect((await api.call('GET', `/${kind}/${name}`)).status, name).toBe(400)
        const head = await api.call('HEAD', `/${kind}/${name}`)
        expect(head.status, name).toBe(404)
        expect(head.body).toBeUndefined()
        expect(head.headers.get('content-type')).toBeNull()
      }
      expect((await api.call('HEAD', `/${kind}/Ghost`)).status).toBe(404)
      // Creation refuses it, the registry does not.
      expect((await api.call('GET', `/${kind}/contract`)).status).toBe(404)
    },
  )

  test('what is published shadows a draft, with its owner, address and definition', async () => {
    const [name, token] = [fresh(), await stranger()]
    await connector(name, [{ transformations: [] }, { transformations: [] }], token)
    const draft = (await draftArtifact(api.db, 'connector', name)) as BuiltConnector
    const definition = { ...draft.definition, dimensions: draft.definition.dimensions.slice(1) }
    const published = { ...draft, definition, contentHash: `0x${'6'.repeat(64)}` as const }
    const { address, owner } = await project(api.db, published)
    const read = await api.call('GET', `/connector/${name}`)
    expect(read.body).toMatchObject({ address, owner: bareAddress(owner), dimensions: [{ composite: '' }] })
    expect((read.body as { dimensions: unknown[] }).dimensions).toHaveLength(1)
    expect((await api.call('HEAD', `/connector/${name}`)).status).toBe(200)
  })

  test('404 with the reason: registered, but nothing on chain proves it', async () => {
    const name = fresh()
    const unverified = fresh()
    await condition(name, 'return true;', await stranger())
    const artifact = await draftArtifact(api.db, 'condition', name)
    await project(api.db, { ...artifact, name: unverified }, { verified: false })
    const answer = await api.call('GET', `/condition/${unverified}`)
    expect(answer.status).toBe(404)
    expect(messageOf(answer)).toBe(
      `The condition ${unverified} is registered, but there is no code at its address`,
    )
    expect((await api.call('HEAD', `/condition/${unverified}`)).status).toBe(404)
  })
})

function ri(start: number, shift: number) {
  return { start_point: start, transformation_shift: shift }
}
