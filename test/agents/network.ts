import { createHash } from 'node:crypto'
import { numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createGrant } from '../../lib/entities/publication/grants.ts'
import { registerClient } from '../../lib/people/identity/agent-clients.ts'
import { agentResource, answerAuthorisation, exchangeCode } from '../../lib/people/identity/agent-grants.ts'
import type { Address } from '../../lib/protocol/entity.ts'
import { grantJson } from '../../lib/protocol/publishing-grant.ts'
import { createMcpEndpoint } from '../../lib/server/mcp/endpoint.ts'
import { uploadWorld } from '../../lib/worlds/publish-world.ts'
import { connectAgent } from '../mcp/connect.ts'
import type { Random } from '../simulation/random.ts'
import { devAccount } from '../support/chain.ts'
import { startTestStack } from '../support/stack.ts'
import { makeBundle } from '../worlds/support/bundle.ts'
import { openTestContext } from '../worlds/support/context.ts'
import { Player, type Publication } from './player.ts'

const ETHER = 10n ** 18n
const APPLICATION = 'http://127.0.0.1:4321/callback'
const VERIFIER = 'v'.repeat(64)

/** What the tasks find: Ada has published, and a World is in the gallery. */
export interface AgentNetwork {
  readonly ada: Player
  /** The account of the client that plays the tasks. */
  readonly me: Player
  /** The same person by an account that they connected, without a token of their own. */
  readonly connected: Player
  /** The same person before signing in. */
  readonly visitor: Player
  /** A key that may publish by a grant of `me`. */
  readonly delegate: Player
  readonly grant: string
  /** Names of what Ada published. */
  readonly names: {
    readonly add: string
    readonly gate: string
    /** Begins at 0 and adds 3. */
    readonly line: string
    /** Two dimensions: adds 2, adds 5. */
    readonly pair: string
    /** C major from 60. */
    readonly melody: string
    /** Selects every second element of `line`. */
    readonly song: string
    /** Its condition never holds. */
    readonly shut: string
  }
  readonly world: { readonly id: string; readonly slug: string; readonly name: string }
  /** All that was ever published, oldest first. */
  readonly published: readonly Publication[]
  readonly siteOrigin: string
  close(): Promise<void>
}

export async function startAgentNetwork(random: Random): Promise<AgentNetwork> {
  const sponsorKey = generatePrivateKey()
  const stack = await startTestStack({
    sponsor: { key: sponsorKey, perDay: ETHER, perAccount: ETHER, perClient: ETHER },
  })
  const balance = [privateKeyToAccount(sponsorKey).address, numberToHex(100n * ETHER)]
  await stack.chain.rpc('anvil_setBalance', balance)
  const services = async () => stack.services
  const open = createMcpEndpoint({ services, validateResponses: true })
  const own = createMcpEndpoint({ services, forAccount: true, validateResponses: true })
  const { siteOrigin } = stack.services.config
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input, init)
    return new URL(request.url).pathname === '/mcp' ? open(request) : own(request)
  }
  const published: Publication[] = []
  const mode = random.pick(['legacy' as const, { pin: '2026-07-28' }])
  const player = async (account: Player['account'], path: string, token?: string) => {
    const options = { fetch, mode, ...(token !== undefined && { token }) }
    return new Player(await connectAgent(`${siteOrigin}${path}`, options), account, published)
  }
  const withToken = async (account: Player['account']) =>
    player(account, '/mcp', await stack.token(lower(account)))
  const [adaKey, myKey, delegateKey] = [
    devAccount(4),
    devAccount(3),
    privateKeyToAccount(generatePrivateKey()),
  ]
  const ada = await withToken(adaKey)

  const word = `${random.pick(['tide', 'moss', 'lark', 'reed'])}_${letters(random, 4)}`
  const named = (part: string) => `${word}_${part}`
  const names = {
    ...{ add: named('add'), gate: named('gate'), line: named('line'), pair: named('pair') },
    ...{ melody: named('melody'), song: named('song'), shut: named('shut') },
  }
  await ada.draft('transformation', names.add, 'return x + args[0];')
  await ada.draft('condition', names.gate, 'return args[0] >= args[1];')
  await ada.compose(names.line, [{ steps: [[names.add, 3]] }])
  await ada.compose(names.pair, [{ steps: [[names.add, 2]] }, { steps: [[names.add, 5]] }])
  await ada.compose(names.melody, [
    { start: 60, steps: [2, 2, 1, 2, 2, 2, 1].map((by) => [names.add, by] as const) },
  ])
  await ada.value('create_connector', {
    name: names.song,
    dimensions: [{ transformations: [{ name: names.add, args: [2] }], composite: names.line }],
  })
  const closed = { condition_name: names.gate, condition_args: [1, 2] }
  await ada.compose(names.shut, [{ steps: [[names.add, 1]] }], closed)
  await ada.publish('transformation', names.add)
  await ada.publish('condition', names.gate)
  for (const name of ['line', 'pair', 'melody', 'song', 'shut'] as const)
    await ada.publish('connector', names[name])

  const as = (account: Player['account']) => openTestContext(stack.services, lower(account))
  const slug = `${word.replace('_', '-')}-loom`
  const world = await uploadWorld(as(adaKey), makeBundle({ slug, name: `Loom of ${word}` }))
  const terms = {
    agent: lower(delegateKey),
    kinds: ['connector', 'transformation'] as const,
    publications: 40,
    budget: ETHER / 2n,
    expires: Math.floor(Date.now() / 1000) + 3600,
    salt: numberToHex(1, { size: 32 }),
  }
  const domain = { chainId: 31_337, registry: stack.chain.registry, site: siteOrigin }
  const signature = await myKey.signTypedData(
    JSON.parse(grantJson({ ...terms, owner: lower(myKey) }, domain)),
  )
  const grant = await createGrant(as(myKey), { ...terms, name: 'Composer', signature })

  await stack.services.db.sql`
    insert into users (address, status, search_text, created_at, updated_at)
    values (${lower(myKey)}, 'active', '', now(), now()) on conflict do nothing`
  const access = await connectAccount(as(myKey), lower(myKey))
  const players = {
    ada,
    me: await withToken(myKey),
    connected: await player(myKey, '/mcp/account', access),
    visitor: await player(myKey, '/mcp'),
    delegate: await withToken(delegateKey),
  }
  return {
    ...players,
    grant: grant.id,
    names,
    world: { id: world.id, slug, name: `Loom of ${word}` },
    published,
    siteOrigin,
    async close() {
      for (const { agent } of Object.values(players)) await agent.client.close()
      await stack.close()
    },
  }
}

/** The access token of an application that the account connected on the site's page. */
async function connectAccount(ctx: ReturnType<typeof openTestContext>, account: Address): Promise<string> {
  const { id: clientId } = await registerClient(ctx, { name: 'Composer', redirectUris: [APPLICATION] })
  const request = {
    client_id: clientId,
    redirect_uri: APPLICATION,
    response_type: 'code',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    resource: agentResource(ctx.config),
  }
  const back = new URL(await answerAuthorisation(ctx, { account, request, allow: true }))
  const code = back.searchParams.get('code') ?? ''
  const { accessToken } = await exchangeCode(ctx, {
    code,
    verifier: VERIFIER,
    clientId,
    redirectUri: APPLICATION,
  })
  return accessToken
}

function lower({ address }: { readonly address: string }): Address {
  return address.toLowerCase() as Address
}

export function letters(random: Random, count: number): string {
  return Array.from({ length: count }, () => String.fromCharCode(97 + random.between(0, 25))).join('')
}
