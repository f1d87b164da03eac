/** Draft, simulate, publish and execute with the typed client. Needs WEFT and PRIVATE_KEY; see README.md. */
import { createChainClient, orThrow, publish, signIn } from '@weft/client'
import { isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const { WEFT = 'http://localhost:3000', PRIVATE_KEY } = process.env
if (!isHex(PRIVATE_KEY)) throw new Error('Set PRIVATE_KEY to the hex private key of an account that can pay')
const account = privateKeyToAccount(PRIVATE_KEY)
const open = createChainClient(`${WEFT}/chain`)
const chain = createChainClient(`${WEFT}/chain`, { token: await signIn(open, account) })

const suffix = Date.now().toString(36)
const step = `step_${suffix}`
const name = `stairs_${suffix}`
await orThrow(chain.POST('/transformation', { body: { name: step, sol_src: 'return x + args[0];' } }))
const dimensions = [{ transformations: [{ name: step, args: [7] }] }]
await orThrow(chain.POST('/connector', { body: { name, dimensions } }))

const run = { connector_name: name, particles_count: 8 }
const simulated = await orThrow(open.POST('/simulate', { body: run }))
console.log(`simulated: ${simulated[0]?.data.join(' ')}`)

// The transformation first, as the connector needs it.
for (const each of await publish(open, account, { kind: 'connector', name })) {
  console.log(`published ${each.kind} ${each.name} at ${each.address}`)
}

const executed = await orThrow(open.POST('/execute', { body: run }))
console.log(`block ${executed.block_number}: ${executed.particles[0]?.data.join(' ')}`)
