import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messageOf, startApi } from '#test/support/api.ts'
import { until } from '#test/support/until.ts'
import { devAccount, type Network, startNetwork } from '../publication/network.ts'

/** Runs whose results must be equal simulated and on chain. */
const FIELDS = {
  number: 'uint32(block.number)',
  timestamp: 'uint32(block.timestamp)',
  base_fee: 'uint32(block.basefee)',
  blob_base_fee: 'uint32(block.blobbasefee)',
  randao: 'uint32(block.prevrandao)',
  coinbase: 'uint32(uint160(address(block.coinbase)))',
  gas_limit: 'uint32(block.gaslimit)',
  chain_id: 'uint32(block.chainid)',
  parent: 'uint32(uint256(blockhash(block.number - 1)))',
  itself: 'uint32(uint256(blockhash(block.number)))',
}
const COUNTS_STEPS = `assembly { if eq(shr(224, calldataload(0)), 0xf4d649f7) {
  if gt(calldataload(0x44), 9) { x := add(x, 1000) } } } return x + 1;`
const UNKNOWABLE = {
  gas: ['return x + uint32(gasleft());', 'GAS'],
  own_address: ['return x + uint32(uint160(address(this)));', 'ADDRESS'],
  sender: ['return x + uint32(uint160(msg.sender));', 'CALLER'],
  origin: ['return x + uint32(uint160(tx.origin));', 'ORIGIN'],
  balance: ['return x + uint32(address(1).balance);', 'BALANCE'],
  code_size: ['return x + uint32(address(0x1234).code.length);', 'EXTCODESIZE'],
  old_block: [
    'return x + uint32(uint256(blockhash(block.number - 2)));',
    'BLOCKHASH of a block before the last one',
  ],
  points: [
    'assembly { x := add(x, staticcall(gas(), 0x0a, 0, 0xc0, 0, 0x40)) } return x;',
    'STATICCALL of 0x000000000000000000000000000000000000000a',
  ],
  stranger: [
    'assembly { x := add(x, staticcall(gas(), 0x1234, 0, 0, 0, 0)) } return x;',
    'STATICCALL of 0x0000000000000000000000000000000000001234',
  ],
} as const

const owner = devAccount(0)
let network: Network

beforeAll(async () => {
  network = await startNetwork()
  network.startWorker()
  const bodies = Object.entries(FIELDS).map(
    ([name, field]) => [name, `unchecked { return x + ${field}; }`] as const,
  )
  for (const [name, body] of [...bodies, ['counting', COUNTS_STEPS] as const]) {
    await network.draftTransformation(name, owner, body)
    await network.publish('transformation', name, owner)
  }
  await connector('fields', ...Object.keys(FIELDS))
  await network.publish('connector', 'fields', owner)
  await connector('counter', 'counting')
  await network.publish('connector', 'counter', owner)
  await network.post('/condition', { name: 'even_block', sol_src: 'return block.number % 2 == 0;' }, owner)
  const even = { name: 'only_even', dimensions: [{ transformations: [] }], condition_name: 'even_block' }
  expect((await network.post('/connector', even, owner)).status).toBe(201)
  for (const [name, [body]] of Object.entries(UNKNOWABLE)) {
    await network.draftTransformation(name, owner, body)
    await connector(`of_${name}`, name)
  }
})
afterAll(() => network?.close())

/** One dimension for each transformation. */
async function connector(name: string, ...transformations: string[]): Promise<void> {
  const dimensions = transformations.map((each) => ({ transformations: [{ name: each }] }))
  const answer = await network.post('/connector', { name, dimensions }, owner)
  expect(answer.status, messageOf(answer)).toBe(201)
}

function ask(verb: 'simulate' | 'execute', connector_name: string, particles_count = 12) {
  return network.post(`/${verb}`, { connector_name, particles_count })
}
function mine() {
  return network.chain.rpc('anvil_mine', ['0x1'])
}
async function blockNumber() {
  return Number(await network.chain.rpc('eth_blockNumber'))
}

interface Stream {
  readonly path: string
  readonly data: readonly number[]
}

async function simulated(name: string): Promise<readonly Stream[]> {
  const answer = await ask('simulate', name)
  expect(answer.status, messageOf(answer)).toBe(200)
  return answer.json as readonly Stream[]
}

async function executed(name: string): Promise<readonly Stream[]> {
  const answer = await ask('execute', name)
  expect(answer.status, messageOf(answer)).toBe(200)
  return (answer.json as { readonly particles: readonly Stream[] }).particles
}

describe('code that reads the block', () => {
  test('a simulation reads each field of the newest block, and no cache returns those of an older one', async () => {
    for (let i = 0; i < 3; i++) {
      await mine()
      const number = await blockNumber()
      await until('the newest block is read', async () => (await simulated('fields'))[0]?.data[1] === number)
      const streams = await simulated('fields')
      expect(streams).toEqual(await executed('fields'))
      expect(streams.map(({ data }) => data[1])).toHaveLength(Object.keys(FIELDS).length)
    }
  })

  test('conditions are evaluated again in each block', async () => {
    for (let i = 0; i < 3; i++) {
      await mine()
      const status = (await blockNumber()) % 2 === 0 ? 200 : 400
      await until(
        'the condition is asked again',
        async () => (await ask('simulate', 'only_even')).status === status,
      )
    }
  })

  test('400 without a chain, by the name of what is read', async () => {
    const api = await startApi('chain')
    const token = await api.token(`0x${'a'.repeat(40)}`)
    const create = (kind: string, body: unknown) => api.send('POST', `/${kind}`, { token, json: body })
    await create('transformation', { name: 'timed', sol_src: 'return x + uint32(block.timestamp);' })
    await create('connector', { name: 'clock', dimensions: [{ transformations: [{ name: 'timed' }] }] })
    const answer = await api.send('POST', '/simulate', {
      json: { connector_name: 'clock', particles_count: 3 },
    })
    expect(answer.status).toBe(400)
    expect(messageOf(answer)).toMatch(/code of timed uses TIMESTAMP/)
    await api.close()
  })
})

test('a body that counts the steps of its call returns the result of the chain', async () => {
  const [stream] = await executed('counter')
  expect(stream?.data).toEqual(Array.from({ length: 12 }, (_, i) => 1001 * i))
  expect(await simulated('counter')).toEqual([stream])
})

test.each(Object.entries(UNKNOWABLE))(
  '%s: what only the chain knows is a 400 that names it',
  async (name, [, reads]) => {
    const answer = await ask('simulate', `of_${name}`)
    expect(answer.status).toBe(400)
    expect(messageOf(answer)).toContain(`the code of ${name} uses ${reads}, which depends on`)
  },
)
