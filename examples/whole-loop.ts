/**
 * Draft, simulate, publish with your own key, execute on chain, and compare: the loop of README.md as one program.
 * Run it against a started network: `npx node examples/whole-loop.ts`.
 */
import { readFileSync } from 'node:fs'
import { createWalletClient, hexToBigInt, http, isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const endpoints = process.env.CHAIN_API
  ? { chainApi: process.env.CHAIN_API, chainRpc: process.env.CHAIN_RPC ?? '' }
  : JSON.parse(readFileSync('.weft/endpoints.json', 'utf8'))
// The third development account of the local chain.
const key = process.env.PRIVATE_KEY ?? '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a'
if (!isHex(key)) throw new Error('PRIVATE_KEY must be hex')
const account = privateKeyToAccount(key)
const wallet = createWalletClient({ account, transport: http(endpoints.chainRpc) })

async function call(path: string, body?: object, token?: string) {
  const response = await fetch(`${endpoints.chainApi}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${answer.message}`)
  return { status: response.status, answer }
}

async function signIn(): Promise<string> {
  const { answer } = await call(`/nonce/${account.address}`)
  const message = `Login nonce: ${answer.nonce}`
  const signature = await account.signMessage({ message })
  return (await call('/auth', { address: account.address, message, signature })).answer.access_token
}

/** Publishes as a browser wallet does: it sends the prepared transaction itself. */
async function publish(kind: string, name: string): Promise<void> {
  const token = await signIn()
  const prepared = (await call(`/publish/${kind}/prepare`, { name }, token)).answer
  if (prepared.status === 'published') return
  const { to, data, gas } = prepared.transaction
  const tx_hash = await wallet.sendTransaction({ chain: null, to, data, gas: hexToBigInt(gas) })
  const confirmation = { name, content_hash: prepared.content_hash, tx_hash }
  while ((await call(`/publish/${kind}`, confirmation, token)).status === 202) {
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  console.log(`published ${kind} ${name} at ${prepared.address}`)
}

const suffix = Date.now().toString(36)
const run = { connector_name: `loop_${suffix}`, particles_count: 12 }
const token = await signIn()
await call('/transformation', { name: `climb_${suffix}`, sol_src: 'return x + args[0];' }, token)
await call('/transformation', { name: `fold_${suffix}`, sol_src: 'return x % args[0];' }, token)
await call(
  '/connector',
  {
    name: run.connector_name,
    dimensions: [
      {
        transformations: [
          { name: `climb_${suffix}`, args: [5] },
          { name: `fold_${suffix}`, args: [12] },
        ],
      },
    ],
  },
  token,
)
const simulated = (await call('/simulate', run)).answer
await publish('transformation', `climb_${suffix}`)
await publish('transformation', `fold_${suffix}`)
await publish('connector', run.connector_name)
const executed = (await call('/execute', run)).answer

const same = JSON.stringify(simulated) === JSON.stringify(executed.particles)
console.log(executed.particles[0].data.join(' '))
console.log(
  `block ${executed.block_number}: ${same ? 'the chain gives the same particles' : 'DIFFERENT particles'}`,
)
if (!same) process.exitCode = 1
