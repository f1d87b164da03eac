import { numberToHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Context } from '#lib/core/context/context.ts'
import { createGrant, listGrants, type StoredGrant } from '#lib/core/entities/publication/grants.ts'
import type { Config } from '#lib/platform/config.ts'
import type { Address, EntityKind, Hash, Hex } from '#lib/protocol/entity.ts'
import { type GrantDomain, grantJson, type PublishingGrant } from '#lib/protocol/publishing-grant.ts'
import { contextOf } from '#test/support/context.ts'
import { lower } from '#test/support/lower.ts'
import { type Network, startNetwork } from './network.ts'

/* Accounts that grant publications to agents, and what these prepare and publish by the grants. */

export const ETHER = 10n ** 18n
const sponsorKey = generatePrivateKey()
export const budgets = { key: sponsorKey, perDay: ETHER, perAccount: ETHER, perClient: ETHER }

export let network: Network
let counter = 0

/** Starts a network whose site pays, for the tests of a file. */
export function openSponsoringNetwork(): void {
  beforeAll(async () => {
    network = await startNetwork({ config: { sponsor: budgets } })
    await network.chain.rpc('anvil_setBalance', [
      privateKeyToAccount(sponsorKey).address,
      numberToHex(100n * ETHER),
    ])
  })
  afterAll(() => network?.close())
}

export function newKey(): PrivateKeyAccount {
  return privateKeyToAccount(generatePrivateKey())
}
export function contextFor(caller: Address, config: Partial<Config> = {}, nowMs?: number): Context {
  const { services } = network.api
  return {
    ...contextOf(services, caller),
    config: { ...services.config, ...config },
    ...(nowMs !== undefined && { clock: () => new Date(nowMs) }),
  }
}

function domain(): GrantDomain {
  const { config } = network.api.services
  return { chainId: 31_337, registry: network.chain.registry, site: config.siteOrigin }
}

export type Terms = Omit<PublishingGrant, 'owner'>

export function termsFor(agent: PrivateKeyAccount, change: Partial<Terms> = {}): Terms {
  return {
    agent: lower(agent.address),
    kinds: ['connector', 'transformation'],
    publications: 3,
    budget: ETHER / 10n,
    expires: Math.floor(Date.now() / 1000) + 3600,
    salt: numberToHex(counter++, { size: 32 }),
    ...change,
  }
}

export async function sign(
  terms: Terms,
  owner: PrivateKeyAccount,
  at: Partial<GrantDomain> = {},
  by = owner,
): Promise<Hex> {
  const json = grantJson({ ...terms, owner: lower(owner.address) }, { ...domain(), ...at })
  return by.signTypedData(JSON.parse(json))
}

interface Granted {
  readonly owner: PrivateKeyAccount
  readonly agent: PrivateKeyAccount
  readonly grant: StoredGrant
}

export async function granted(change: Partial<Terms> = {}): Promise<Granted> {
  const [owner, agent] = [newKey(), newKey()]
  const terms = termsFor(agent, change)
  const signature = await sign(terms, owner)
  const grant = await createGrant(contextFor(lower(owner.address)), { ...terms, name: 'Agent', signature })
  return { owner, agent, grant }
}

interface Prepared {
  readonly entities: readonly {
    readonly kind: EntityKind
    readonly name: string
    readonly content_hash: Hash
  }[]
  readonly signature: Hex
}

/** A function of an agent, prepared and signed by it. */
export async function prepare(
  { agent, grant }: Pick<Granted, 'agent' | 'grant'>,
  kind: 'transformation' | 'condition' = 'transformation',
): Promise<Prepared> {
  const name = `granted_${counter++}`
  if (kind === 'transformation') await network.draftTransformation(name, agent)
  else await network.post('/condition', { name, sol_src: 'return true;' }, agent)
  const answer = await network.post(`/grants/${grant.id}/prepare`, { entities: [{ kind, name }] }, agent)
  expect(answer.status).toBe(200)
  const { entities, typed_data } = answer.body as Omit<Prepared, 'signature'> & { typed_data: string }
  return { entities, signature: await agent.signTypedData(JSON.parse(typed_data)) }
}

function wire({ entities, signature }: Prepared) {
  return {
    entities: entities.map(({ kind, name, content_hash }) => ({ kind, name, content_hash })),
    signature,
  }
}

export function publish({ grant }: Pick<Granted, 'grant'>, prepared: Prepared, by: PrivateKeyAccount) {
  return network.post(`/grants/${grant.id}/publish`, wire(prepared), by)
}

export async function leftOf({ owner, grant }: Granted) {
  const [found] = (await listGrants(contextFor(lower(owner.address)))).filter(({ id }) => id === grant.id)
  return { publications: grant.publications - found!.usedPublications, spent: found!.spent }
}
