import { type Hex, hashMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, messageOf, startApi, type TestApi } from '#test/support/api.ts'
import { lower } from '#test/support/lower.ts'
import { startTestRegistry, type TestRegistry } from '#test/support/registry-chain.ts'
import { draftArtifact, randomAddress } from './projection.ts'

let registry: TestRegistry
/** With a chain, but without a worker: the projection knows nothing. */
let api: TestApi
/** Configured for a chain that does not answer. */
let stranded: TestApi
let token: string
/** No server listens there. */
const NOWHERE = 'http://127.0.0.1:1'

beforeAll(async () => {
  registry = await startTestRegistry()
  const { url, registry: registryAddress, runner } = registry.chain
  const contracts = { registryAddress: lower(registryAddress), runnerAddress: lower(runner) }
  api = await startApi('chain', { chainRpcUrl: url, ...contracts })
  stranded = await startApi('chain', { chainRpcUrl: NOWHERE, ...contracts })
  token = await api.token(randomAddress())
  await post(api, 'transformation', { name: 'live', sol_src: 'return x;' })
  await post(api, 'condition', { name: 'live', sol_src: 'return true;' })
  await post(api, 'connector', { name: 'live', dimensions: [{ transformations: [{ name: 'live' }] }] })
  for (const kind of ['transformation', 'condition', 'connector'] as const) {
    await registry.publish(await draftArtifact(api.db, kind, 'live'))
  }
})
afterAll(async () => {
  await Promise.all([api?.close(), stranded?.close(), registry?.close()])
})

async function post(target: TestApi, kind: string, body: unknown): Promise<Answer> {
  return target.send('POST', `/${kind}`, { token, json: body })
}

const bodies = {
  transformation: (name: string) => ({ name, sol_src: 'return x;' }),
  condition: (name: string) => ({ name, sol_src: 'return true;' }),
  connector: (name: string) => ({ name, dimensions: [{ transformations: [] }] }),
}

describe.each(['transformation', 'condition', 'connector'] as const)('POST_%s', (kind) => {
  test('409: reserved on chain although the projection has not read it yet', async () => {
    const answer = await post(api, kind, bodies[kind]('live'))
    expect(answer.status).toBe(409)
    expect(messageOf(answer)).toContain('reserved on chain')
  })

  test('201: free on chain', async () => {
    expect((await post(api, kind, bodies[kind]('free'))).status).toBe(201)
  })

  test('503: the live check cannot be made, and nothing is left behind', async () => {
    expect((await post(stranded, kind, bodies[kind]('free'))).status).toBe(503)
    expect((await stranded.send('HEAD', `/${kind}/free`)).status).toBe(404)
  })
})

test('503: the node has lost the registry', async () => {
  const { chain } = registry
  const code = await chain.publicClient.getCode({ address: chain.registry })
  await chain.rpc('anvil_setCode', [chain.registry, '0x'])
  try {
    expect((await post(api, 'transformation', bodies.transformation('lost'))).status).toBe(503)
    const own = { token, json: { name: 'free' } }
    expect((await api.send('POST', '/publish/transformation/prepare', own)).status).toBe(503)
  } finally {
    await chain.rpc('anvil_setCode', [chain.registry, code])
  }
})

describe('POST_simulate', () => {
  test('503: on chain only, and not read yet; 404 when the chain does not know it or is unreachable', async () => {
    await api.db.sql`delete from drafts where kind = 'connector' and name = 'live'`
    const run = (connector_name: string) => ({ json: { connector_name, particles_count: 1 } })
    expect((await api.send('POST', '/simulate', run('live'))).status).toBe(503)
    expect((await api.send('POST', '/simulate', run('Ghost'))).status).toBe(404)
    expect((await stranded.send('POST', '/simulate', run('live'))).status).toBe(404)
  })
})

describe('POST_auth of a contract wallet (EIP-1271)', () => {
  /** Accepts exactly this hash, whatever the signature. */
  const acceptsOnly = (hash: Hex): Hex => `0x7f${hash.slice(2)}60043514631626ba7e0260e01b5f5260205ff3`

  async function attempt(target: TestApi, code: ((hash: Hex) => Hex) | undefined, signature = '0x1234') {
    const wallet = randomAddress()
    const { json: body } = await target.send('GET', `/nonce/${wallet}`)
    const message = `Login nonce: ${(body as { nonce: string }).nonce}`
    if (code !== undefined) await registry.chain.rpc('anvil_setCode', [wallet, code(hashMessage(message))])
    return target.send('POST', '/auth', { json: { address: wallet, message, signature } })
  }

  test('200: the wallet accepts, with a signature of any length', async () => {
    expect((await attempt(api, acceptsOnly)).status).toBe(200)
    expect((await attempt(api, acceptsOnly, `0x${'ab'.repeat(65)}`)).status).toBe(200)
    expect((await attempt(api, acceptsOnly, 'ab'.repeat(500))).status).toBe(200)
  })

  test('400: the wallet refuses, no wallet there, or the chain is unreachable', async () => {
    expect((await attempt(api, () => acceptsOnly(`0x${'0'.repeat(64)}`))).status).toBe(400)
    expect((await attempt(api, undefined)).status).toBe(400)
    const unreachable = await attempt(stranded, undefined)
    expect(unreachable.status).toBe(400)
    expect(messageOf(unreachable)).toContain('not reachable')
  })

  test('200: keys log in while the chain is down', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const { json: body } = await stranded.send('GET', `/nonce/${account.address}`)
    const message = `Login nonce: ${(body as { nonce: string }).nonce}`
    const signature = await account.signMessage({ message })
    const answer = await stranded.send('POST', '/auth', {
      json: { address: account.address, message, signature },
    })
    expect(answer.status).toBe(200)
  })
})
