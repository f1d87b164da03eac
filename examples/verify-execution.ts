/**
 * Checks an answer of POST /execute without trusting the server: calls the runner contract at the same block of any
 * node, and compares every value.
 *
 *   node examples/verify-execution.ts <chain API base> <RPC URL> <connector> [particles]
 *
 * For a network started with `npm start`, the first two are `chainApi` and `chainRpc` of `.weft/endpoints.json`.
 */
import { createPublicClient, http, parseAbi } from 'viem'

const [api, rpcUrl, connector, particles = '12'] = process.argv.slice(2)
if (!api || !rpcUrl || !connector) {
  console.error('usage: node examples/verify-execution.ts <chain API base> <RPC URL> <connector> [particles]')
  process.exit(2)
}

interface Execution {
  block_number: number
  block_hash: string
  runner: `0x${string}`
  particles: { path: string; data: number[] }[]
}

const response = await fetch(`${api}/execute`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ connector_name: connector, particles_count: particles }),
})
if (!response.ok) {
  console.error(`the server answered ${response.status}: ${await response.text()}`)
  process.exit(1)
}
const execution = (await response.json()) as Execution

const node = createPublicClient({ transport: http(rpcUrl) })
const blockNumber = BigInt(execution.block_number)
const block = await node.getBlock({ blockNumber })
if (block.hash !== execution.block_hash) {
  console.error(`block ${blockNumber} of the node is ${block.hash}, not ${execution.block_hash}`)
  process.exit(1)
}

const runner = parseAbi([
  'struct RunningInstance { uint32 position; uint32 startPoint; uint32 transformationShift; }',
  'struct Stream { string path; bytes data; }',
  'function generate(string name, uint32 particlesCount, RunningInstance[] dynamicRi) view returns (Stream[])',
])
const streams = await node.readContract({
  address: execution.runner,
  abi: runner,
  functionName: 'generate',
  args: [connector, Number(particles), []],
  blockNumber,
})

/** Four big-endian bytes a value. */
function values(data: `0x${string}`): number[] {
  return (data.slice(2).match(/.{8}/g) ?? []).map((word) => Number.parseInt(word, 16))
}

const own = JSON.stringify(streams.map(({ path, data }) => ({ path, data: values(data) })))
if (own !== JSON.stringify(execution.particles)) {
  console.error(`the answer differs from what the runner says at block ${blockNumber}`)
  process.exit(1)
}
console.log(
  `${connector}: ${streams.length} path(s) of ${particles} particles, the same at block ${blockNumber} ` +
    `(${execution.block_hash})`,
)
