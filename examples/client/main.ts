/** Draft, simulate, publish and execute with the typed client. Needs WEFT and PRIVATE_KEY; see README.md. */
import { hexToBigInt, hexToNumber, isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type ChainComponents, createChainClient } from 'weft-client'

type Prepared = ChainComponents['schemas']['PreparedPublication']

const { WEFT = 'http://localhost:3000', PRIVATE_KEY } = process.env
if (!isHex(PRIVATE_KEY)) throw new Error('Set PRIVATE_KEY to the hex private key of an account that can pay')
const account = privateKeyToAccount(PRIVATE_KEY)
const open = createChainClient(`${WEFT}/chain`)
const chain = createChainClient(`${WEFT}/chain`, { token: await logIn() })

const suffix = Date.now().toString(36)
const step = `step_${suffix}`
const connector_name = `stairs_${suffix}`
await chain
  .POST('/transformation', { body: { name: step, sol_src: 'return x + args[0];' } })
  .then(dataOrThrow)
await chain
  .POST('/connector', {
    body: { name: connector_name, dimensions: [{ transformations: [{ name: step, args: [7] }] }] },
  })
  .then(dataOrThrow)

const run = { connector_name, particles_count: 8 }
const simulated = await open.POST('/simulate', { body: run }).then(dataOrThrow)
console.log(`simulated: ${simulated[0]?.data.join(' ')}`)

await publish('transformation', step)
await publish('connector', connector_name)

const executed = await open.POST('/execute', { body: run }).then(dataOrThrow)
console.log(`block ${executed.block_number}: ${executed.particles[0]?.data.join(' ')}`)

async function logIn(): Promise<string> {
  const path = { address: account.address }
  const { nonce } = await open.GET('/nonce/{address}', { params: { path } }).then(dataOrThrow)
  const message = `Login nonce: ${nonce}`
  const signature = await account.signMessage({ message })
  const body = { address: account.address, message, signature }
  return (await open.POST('/auth', { body }).then(dataOrThrow)).access_token
}

async function publish(kind: 'transformation' | 'connector', name: string): Promise<void> {
  const params = { path: { kind } }
  const body = { name, relay: true }
  const prepared = await chain.POST('/publish/{kind}/prepare', { params, body }).then(dataOrThrow)
  if (prepared.status === 'published') return
  const publication = { name, content_hash: prepared.content_hash }
  const raw_tx = await sign(prepared)
  const { tx_hash } = await chain
    .POST('/publish/{kind}/send', { params, body: { ...publication, raw_tx } })
    .then(dataOrThrow)
  for (;;) {
    const { data, error, response } = await chain.POST('/publish/{kind}', {
      params,
      body: { ...publication, tx_hash },
    })
    if (response.status === 201) break
    // 202: the transaction is not mined yet.
    if (response.status !== 202) throw new Error(error?.message ?? JSON.stringify(data))
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  console.log(`published ${kind} ${name} at ${prepared.address}`)
}

function sign({ transaction, signing }: Prepared): Promise<string> {
  if (signing === undefined) throw new Error('Prepared without nonce and fees: set relay')
  const hex = (text: string) => (isHex(text) ? text : fail(`Not hex: ${text}`))
  return account.signTransaction({
    type: 'eip1559',
    to: hex(transaction.to),
    data: hex(transaction.data),
    chainId: hexToNumber(hex(transaction.chainId)),
    gas: hexToBigInt(hex(transaction.gas)),
    nonce: hexToNumber(hex(signing.nonce)),
    maxFeePerGas: hexToBigInt(hex(signing.maxFeePerGas)),
    maxPriorityFeePerGas: hexToBigInt(hex(signing.maxPriorityFeePerGas)),
  })
}

/** The client returns failures; here they end the program. */
function dataOrThrow<T>(answer: { data?: T; error?: { message: string }; response: Response }): T {
  return answer.data ?? fail(`${answer.response.status}: ${answer.error?.message}`)
}

function fail(message: string): never {
  throw new Error(message)
}
