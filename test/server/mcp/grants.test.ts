import { numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGrant } from '#lib/core/entities/publication/grants.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import { grantJson } from '#lib/protocol/publishing-grant.ts'
import { createMcpEndpoint } from '#lib/server/mcp/endpoint.ts'
import { openTestContext } from '#test/core/worlds/support/context.ts'
import { devAccount } from '#test/support/chain.ts'
import { lower } from '#test/support/lower.ts'
import { startTestStack, type TestStack } from '#test/support/stack.ts'
import { type Agent, connectAgent } from './connect.ts'

const ETHER = 10n ** 18n
const owner = devAccount(3)
const delegate = privateKeyToAccount(generatePrivateKey())

let stack: TestStack
let agent: Agent
let id: string

beforeAll(async () => {
  const sponsorKey = generatePrivateKey()
  stack = await startTestStack({
    sponsor: { key: sponsorKey, perDay: ETHER, perAccount: ETHER, perClient: ETHER },
  })
  await stack.chain.rpc('anvil_setBalance', [
    privateKeyToAccount(sponsorKey).address,
    numberToHex(100n * ETHER),
  ])
  const terms = {
    agent: lower(delegate.address),
    kinds: ['transformation'] as const,
    publications: 2,
    budget: ETHER / 2n,
    expires: Math.floor(Date.now() / 1000) + 3600,
    salt: numberToHex(1, { size: 32 }),
  }
  const domain = {
    chainId: 31_337,
    registry: stack.chain.registry,
    site: stack.services.config.siteOrigin,
  }
  const signature = await owner.signTypedData(
    JSON.parse(grantJson({ ...terms, owner: lower(owner.address) }, domain)),
  )
  const ctx = openTestContext(stack.services, lower(owner.address))
  id = (await createGrant(ctx, { ...terms, name: 'Composer', signature })).id
  const endpoint = createMcpEndpoint({ services: async () => stack.services, validateResponses: true })
  agent = await connectAgent('http://localhost:3000/mcp', {
    fetch: (input, init) => endpoint(new Request(input, init)),
    token: await stack.token(lower(delegate.address)),
  })
})
afterAll(async () => {
  await agent?.client.close()
  await stack?.close()
})

/** Drafts it, and signs its publication with the key of the agent. */
async function prepare(kind: EntityKind, name: string, sol_src: string) {
  expect((await agent.call(`create_${kind}`, { name, sol_src })).failed).toBe(false)
  const prepared = await agent.call('prepare_granted_publication', { id, entities: [{ kind, name }] })
  expect(prepared.failed, prepared.text).toBe(false)
  const { entities, typed_data } = prepared.value as {
    entities: { kind: string; name: string; content_hash: string }[]
    typed_data: string
  }
  const named = entities.map(({ kind, name, content_hash }) => ({ kind, name, content_hash }))
  return { id, entities: named, signature: await delegate.signTypedData(JSON.parse(typed_data)) }
}

test('an agent publishes by a grant with nothing but the tools, and reads what is left of it', async () => {
  const signed = await prepare('transformation', 'granted', 'return x + 11;')
  const published = await agent.call('publish_by_grant', signed)
  expect(published.failed, published.text).toBe(false)
  await stack.projected()
  expect((await agent.call('read_transformation', { name: 'granted' })).value).toMatchObject({
    owner: lower(delegate.address).slice(2),
    address: expect.stringMatching(/^0x[0-9a-f]{40}$/),
  })
  expect((await agent.call('read_grant', { id })).value).toMatchObject({ used_publications: 1 })
})

test('a kind that the grant does not name is refused with a sentence', async () => {
  const refused = await agent.call('publish_by_grant', await prepare('condition', 'other', 'return true;'))
  expect(refused).toMatchObject({ failed: true, structured: { status: 403 } })
  expect(refused.text).toMatch(/condition|kind/i)
})
