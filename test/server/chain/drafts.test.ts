import { describe, expect, test } from 'vitest'
import { bareAddress } from '#lib/protocol/address.ts'
import type { BuiltConnector } from '#lib/protocol/artifact.ts'
import { messageOf } from '#test/support/api.ts'
import {
  alice,
  api,
  asAlice,
  asBob,
  bob,
  condition,
  connector,
  contentHash,
  draftsApi,
  fresh,
  stranger,
  transformation,
} from './drafts-api.ts'
import { draftArtifact, project, randomAddress } from './projection.ts'

draftsApi()

describe('POST_transformation and POST_condition', () => {
  test('201: a draft with its args_count; reads answer every field and never the source', async () => {
    const created = await transformation('first', 'return x * args[0] + args[2];')
    expect(created).toMatchObject({
      status: 201,
      json: { name: 'first', owner: bareAddress(alice), address: '0x0', args_count: 3 },
    })
    const read = await api.send('GET', '/transformation/first')
    expect(read.status).toBe(200)
    expect(read.json).toEqual({ name: 'first', owner: bareAddress(alice), address: '0x0', args_count: 3 })

    const made = await condition('first', 'return true;', asBob)
    expect(made).toMatchObject({ status: 201, json: { owner: bareAddress(bob), args_count: 0 } })
    expect((await api.send('GET', '/condition/first')).json).toEqual({
      name: 'first',
      owner: bareAddress(bob),
      address: '0x0',
      args_count: 0,
    })
  })

  test('401 without a valid token, before the body is looked at', async () => {
    for (const path of ['/transformation', '/condition', '/connector']) {
      for (const token of [undefined, 'nonsense', 'a.b.c', `${'a'.repeat(64)}.${'b'.repeat(64)}`]) {
        const answer = await api.send('POST', path, { token, text: '{"broken' })
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
    expect((await api.send('POST', '/transformation', { token: asAlice, json: body })).status).toBe(400)
    expect((await api.send('GET', '/transformation/bad')).status).toBe(404)
    expect((await api.send('HEAD', '/transformation/bad')).status).toBe(404)
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
      expect((await api.send('GET', `/transformation/${name}`)).json).toMatchObject({ name })
    }
  })

  test('kinds are separate namespaces, and names are case-sensitive', async () => {
    const [token, other] = [await stranger(), await stranger()]
    expect((await transformation('Shared', 'return x;', token)).status).toBe(201)
    expect((await condition('Shared', 'return true;', other)).status).toBe(201)
    expect((await transformation('shared', 'return x;', other)).status).toBe(201)
    expect((await api.send('GET', '/connector/Shared')).status).toBe(404)
  })

  test('201: the owner revises a draft; the same source changes nothing', async () => {
    const [name, token] = [fresh(), await stranger()]
    await transformation(name, 'return x;', token)
    const [before] = await api.db.sql`select * from drafts where kind = 'transformation' and name = ${name}`
    expect((await transformation(name, 'return x;', token)).status).toBe(201)
    const [same] = await api.db.sql`select * from drafts where kind = 'transformation' and name = ${name}`
    expect(same).toEqual(before)

    const revised = await transformation(name, 'return x + args[1];', token)
    expect(revised).toMatchObject({ status: 201, json: { args_count: 2 } })
    expect((await api.send('GET', `/transformation/${name}`)).json).toMatchObject({ args_count: 2 })
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
      const read = await api.send('GET', `/transformation/${name}`)
      const winner = (read.json as { owner: string }).owner
      const won = answers.filter(({ status }) => status === 201)
      expect(won).toHaveLength(10)
      for (const { json: body } of won) expect(body).toMatchObject({ owner: winner })
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
    expect((await api.send('GET', `/transformation/${name}`)).json).toEqual({
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
    expect((await api.send('HEAD', `/transformation/${refused}`)).status).toBe(404)
    expect((await transformation(kept, 'return x + 1;', token)).status).toBe(201)
    expect((await connector(fresh(), [{ transformations: [] }], token)).status).toBe(429)

    await project(api.db, await draftArtifact(api.db, 'transformation', kept), { owner })
    expect((await transformation(refused, 'return x;', token)).status).toBe(201)
  })
})

describe('GET and HEAD of one entity', () => {
  test.each(['transformation', 'condition', 'connector'])(
    '%s: 400 and 404 with the fixed texts',
    async (kind) => {
      const missing = await api.send('GET', `/${kind}/Ghost`)
      expect(missing.status).toBe(404)
      expect(messageOf(missing)).toBe(`${kind[0]?.toUpperCase()}${kind.slice(1)} not found`)
      for (const name of ['bad-name', 'a'.repeat(129), '%20', '%00', '%FF']) {
        expect((await api.send('GET', `/${kind}/${name}`)).status, name).toBe(400)
        const head = await api.send('HEAD', `/${kind}/${name}`)
        expect(head.status, name).toBe(404)
        expect(head.json).toBeUndefined()
        expect(head.headers.get('content-type')).toBeNull()
      }
      expect((await api.send('HEAD', `/${kind}/Ghost`)).status).toBe(404)
      // Creation refuses it, the registry does not.
      expect((await api.send('GET', `/${kind}/contract`)).status).toBe(404)
    },
  )

  test('what is published shadows a draft, with its owner, address and definition', async () => {
    const [name, token] = [fresh(), await stranger()]
    await connector(name, [{ transformations: [] }, { transformations: [] }], token)
    const draft = (await draftArtifact(api.db, 'connector', name)) as BuiltConnector
    const definition = { ...draft.definition, dimensions: draft.definition.dimensions.slice(1) }
    const published = { ...draft, definition, contentHash: `0x${'6'.repeat(64)}` as const }
    const { address, owner } = await project(api.db, published)
    const read = await api.send('GET', `/connector/${name}`)
    expect(read.json).toMatchObject({ address, owner: bareAddress(owner), dimensions: [{ composite: '' }] })
    expect((read.json as { dimensions: unknown[] }).dimensions).toHaveLength(1)
    expect((await api.send('HEAD', `/connector/${name}`)).status).toBe(200)
  })

  test('404 with the reason: registered, but nothing on chain proves it', async () => {
    const name = fresh()
    const unverified = fresh()
    await condition(name, 'return true;', await stranger())
    const artifact = await draftArtifact(api.db, 'condition', name)
    await project(api.db, { ...artifact, name: unverified }, { verified: false })
    const answer = await api.send('GET', `/condition/${unverified}`)
    expect(answer.status).toBe(404)
    expect(messageOf(answer)).toBe(
      `The condition ${unverified} is registered, but there is no code at its address`,
    )
    expect((await api.send('HEAD', `/condition/${unverified}`)).status).toBe(404)
  })
})
