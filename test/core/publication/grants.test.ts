import type { PrivateKeyAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { registryEntry } from '#lib/chain/registry-reads.ts'
import type { Session } from '#lib/core/context/context.ts'
import {
  createGrant,
  listGrants,
  MAX_GRANTS,
  publishedForAccount,
  revokeGrant,
} from '#lib/core/entities/publication/grants.ts'
import { deleteUser } from '#lib/core/people/account-status.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { lower } from '#test/support/lower.ts'
import { waitForProjection } from '#test/support/wait-for-projection.ts'
import {
  budgets,
  contextFor,
  ETHER,
  granted,
  leftOf,
  network,
  newKey,
  openSponsoringNetwork,
  prepare,
  publish,
  sign,
  type Terms,
  termsFor,
} from './granted-agents.ts'

/* Agents that publish at the expense of an account: within what it signed, and not a transaction more. */

openSponsoringNetwork()

test('an agent publishes under its own address, and the page names the account', async () => {
  const g = await granted()
  const prepared = await prepare(g)
  const [entity] = prepared.entities
  const answer = await publish(g, prepared, g.agent)
  expect(answer).toMatchObject({ status: 202, body: { tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } })
  expect((await publish(g, prepared, g.agent)).body).toEqual(answer.body)
  const { chain } = network.api.services
  expect(await registryEntry(chain!, entity!.kind, entity!.name)).toMatchObject({
    owner: lower(g.agent.address),
  })
  const { tx_hash } = answer.body as { tx_hash: Hash }
  const { content_hash, kind, name } = entity!
  expect((await network.post(`/publish/${kind}`, { name, content_hash, tx_hash }, g.agent)).status).toBe(201)
  const left = await leftOf(g)
  expect(left.publications).toBe(2)
  expect(left.spent).toBeGreaterThan(0n)

  const { stop } = network.startWorker()
  await waitForProjection(network.api.services, { kind, name })
  await stop()
  const ctx = contextFor(lower(g.owner.address))
  expect(await publishedForAccount(ctx, kind, name)).toBe(lower(g.owner.address))
  for (const [by, status] of [
    [g.agent, 200],
    [g.owner, 200],
    [newKey(), 404],
  ] as const) {
    const token = await network.api.token(lower(by.address))
    expect((await network.api.call('GET', `/grants/${g.grant.id}`, { token })).status).toBe(status)
  }
})

describe('what an account did not sign is not stored:', () => {
  test.each<[string, (terms: Terms, owner: PrivateKeyAccount) => Promise<[Partial<Terms>, string]>]>([
    ['signed by the agent', async (terms, owner) => [{}, await sign(terms, owner, {}, newKey())]],
    ['for another chain', async (terms, owner) => [{}, await sign(terms, owner, { chainId: 1 })]],
    [
      'for another registry',
      async (terms, owner) => [{}, await sign(terms, owner, { registry: lower(newKey().address) })],
    ],
    [
      'for another site',
      async (terms, owner) => [{}, await sign(terms, owner, { site: 'https://evil.example' })],
    ],
    ['with more publications', async (terms, owner) => [{ publications: 4 }, await sign(terms, owner)]],
    ['with more money', async (terms, owner) => [{ budget: terms.budget + 1n }, await sign(terms, owner)]],
    ['with a later end', async (terms, owner) => [{ expires: terms.expires + 1 }, await sign(terms, owner)]],
    [
      'with other kinds',
      async (terms, owner) => [
        { kinds: ['condition', 'connector', 'transformation'] },
        await sign(terms, owner),
      ],
    ],
    [
      'for another agent',
      async (terms, owner) => [{ agent: lower(newKey().address) }, await sign(terms, owner)],
    ],
    ['with no signature', async () => [{}, '0x']],
    [
      'with kinds in another order',
      async (terms, owner) => {
        const change = { kinds: ['transformation', 'connector'] as const }
        return [change, await sign({ ...terms, ...change }, owner)]
      },
    ],
    [
      'with no end in sight',
      async (terms, owner) => {
        const change = { expires: terms.expires + 400 * 86_400 }
        return [change, await sign({ ...terms, ...change }, owner)]
      },
    ],
    [
      'that has ended',
      async (terms, owner) => {
        const change = { expires: 1_700_000_000 }
        return [change, await sign({ ...terms, ...change }, owner)]
      },
    ],
    [
      'for itself',
      async (terms, owner) => {
        const change = { agent: lower(owner.address) }
        return [change, await sign({ ...terms, ...change }, owner)]
      },
    ],
  ])('%s', async (_, make) => {
    const owner = newKey()
    const terms = termsFor(newKey())
    const [change, signature] = await make(terms, owner)
    const ctx = contextFor(lower(owner.address))
    await expect(createGrant(ctx, { ...terms, ...change, name: 'Agent', signature })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    expect(await listGrants(ctx)).toEqual([])
  })

  test('as a grant of the agent, by another account', async () => {
    const owner = newKey()
    const terms = termsFor(newKey())
    const signature = await sign(terms, owner)
    const ctx = contextFor(lower(newKey().address))
    await expect(createGrant(ctx, { ...terms, name: 'Agent', signature })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })
})

describe('what a grant does not allow is not paid for:', () => {
  test('after it was revoked, prepared or not; and it cannot be stored again', async () => {
    const [owner, agent] = [newKey(), newKey()]
    const ctx = contextFor(lower(owner.address))
    const terms = termsFor(agent)
    const input = { ...terms, name: 'Agent', signature: await sign(terms, owner) }
    const grant = await createGrant(ctx, input)
    // Stored twice, it is one.
    expect((await createGrant(ctx, input)).id).toBe(grant.id)
    const prepared = await prepare({ agent, grant })
    // Only the owner can revoke it.
    await revokeGrant(contextFor(lower(agent.address)), grant.id)
    await revokeGrant(ctx, grant.id)
    expect(await publish({ grant }, prepared, agent)).toMatchObject({
      status: 403,
      body: { message: 'The grant was revoked' },
    })
    await expect(createGrant(ctx, input)).rejects.toMatchObject({ code: 'conflict' })
    expect(await leftOf({ owner, agent, grant })).toEqual({ publications: 3, spent: 0n })
  })

  test.each<[string, Partial<Terms>, 'transformation' | 'condition', string]>([
    ['another kind', {}, 'condition', 'The grant is not for a condition'],
    [
      'more than its money',
      { budget: 1000n },
      'transformation',
      'The budget of the grant does not cover this',
    ],
  ])('%s', async (_, change, kind, message) => {
    const g = await granted(change)
    expect(await publish(g, await prepare(g, kind), g.agent)).toMatchObject({
      status: 403,
      body: { message },
    })
    expect(await leftOf(g)).toEqual({ publications: 3, spent: 0n })
  })

  test('after its end', async () => {
    const g = await granted({ expires: Math.floor(Date.now() / 1000) + 2 })
    const prepared = await prepare(g)
    await expect.poll(() => Date.now() / 1000).toBeGreaterThan(g.grant.expires)
    expect(await publish(g, prepared, g.agent)).toMatchObject({
      status: 403,
      body: { message: 'The grant has ended' },
    })
  })

  test('by another account, or with a grant of another agent', async () => {
    const [g, other] = [await granted(), await granted()]
    const prepared = await prepare(g)
    expect((await publish(other, prepared, g.agent)).status).toBe(404)
    expect((await publish(g, prepared, other.agent)).status).toBe(400)
    expect((await publish(g, prepared, newKey())).status).toBe(400)
    const nowhere = { ...g.grant, id: `0x${'12'.repeat(32)}` as Hash }
    expect((await publish({ grant: nowhere }, prepared, g.agent)).status).toBe(404)
    expect((await publish(g, prepared, g.owner)).status).toBe(400)
    expect(await leftOf(g)).toEqual({ publications: 3, spent: 0n })
  })

  test('one publication more than it names', async () => {
    const g = await granted({ publications: 1 })
    expect((await publish(g, await prepare(g), g.agent)).status).toBe(202)
    expect(await publish(g, await prepare(g), g.agent)).toMatchObject({
      status: 403,
      body: { message: 'The publications of the grant are used up' },
    })
    expect((await leftOf(g)).publications).toBe(0)
  })

  test('twenty at the same time with one left', async () => {
    const g = await granted({ publications: 1 })
    const prepared = await prepare(g)
    const answers = await Promise.all(Array.from({ length: 20 }, () => publish(g, prepared, g.agent)))
    expect(answers.some(({ status }) => status === 202)).toBe(true)
    const hashes = answers.flatMap(({ status, body }) =>
      status === 202 ? [(body as { tx_hash: Hash }).tx_hash] : [],
    )
    expect(new Set(hashes).size).toBe(1)
    expect((await leftOf(g)).publications).toBe(0)
  })

  test('two agents together more than the account may have', async () => {
    const [owner, one, two] = [newKey(), newKey(), newKey()]
    const grants = await Promise.all(
      [one, two].map(async (agent) => {
        const terms = termsFor(agent)
        const signature = await sign(terms, owner)
        return createGrant(contextFor(lower(owner.address)), { ...terms, name: 'Agent', signature })
      }),
    )
    const first = await prepare({ agent: one, grant: grants[0]! })
    const second = await prepare({ agent: two, grant: grants[1]! })
    expect((await publish({ grant: grants[0]! }, first, one)).status).toBe(202)
    const { config } = network.api.services
    const narrow = { ...config.sponsor, perAccount: ETHER / 1_000_000n }
    Object.assign(config, { sponsor: narrow })
    try {
      const refused = await publish({ grant: grants[1]! }, second, two)
      expect(refused.status).toBe(409)
      expect(JSON.stringify(refused.body)).toContain('pays for one account in a day')
    } finally {
      Object.assign(config, { sponsor: budgets })
    }
  })

  test('where the site pays for nothing', async () => {
    const g = await granted()
    const prepared = await prepare(g)
    const { config } = network.api.services
    Object.assign(config, { sponsor: { ...budgets, key: undefined } })
    try {
      expect((await publish(g, prepared, g.agent)).status).toBe(409)
    } finally {
      Object.assign(config, { sponsor: budgets })
    }
  })
})

test('an account has so many grants at a time, and can revoke one for another', async () => {
  const owner = newKey()
  const ctx = contextFor(lower(owner.address))
  const make = async () => {
    const terms = termsFor(newKey())
    return createGrant(ctx, { ...terms, name: 'Agent', signature: await sign(terms, owner) })
  }
  for (let i = 0; i < MAX_GRANTS; i++) await make()
  await expect(make()).rejects.toMatchObject({ code: 'too_many' })
  await revokeGrant(ctx, (await listGrants(ctx))[0]!.id)
  await make()
  expect(await listGrants(ctx)).toHaveLength(MAX_GRANTS + 1)
})

test('deleting the account ends what its agents can spend, on every chain', async () => {
  const g = await granted()
  const prepared = await prepare(g)
  const { sql } = network.api.services.db
  const owner = lower(g.owner.address)
  await sql`create schema chain_8453`
  await sql`create table chain_8453.publishing_grants (like public.publishing_grants including all)`
  await sql`insert into chain_8453.publishing_grants select * from public.publishing_grants where owner = ${owner}`
  const others = await granted()

  await sql`insert into users (address, created_at, updated_at) values (${owner}, now(), now())`
  const session: Session = { id: 'test', address: owner, roles: [] }
  await deleteUser({ ...contextFor(owner), session }, { address: owner })
  expect(await publish(g, prepared, g.agent)).toMatchObject({
    status: 403,
    body: { message: 'The grant was revoked' },
  })
  const held = await sql`
    select owner from public.publishing_grants where revoked_at is null and owner in (${owner}, ${lower(others.owner.address)})
    union all select owner from chain_8453.publishing_grants where revoked_at is null`
  expect(held).toEqual([{ owner: lower(others.owner.address) }])
})
