import { decodeFunctionResult, encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runnerAbi } from '#lib/protocol/abi.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { endpointsOf, messageOf } from '#test/support/api.ts'
import { startRpcProxy } from '#test/support/rpc-proxy.ts'
import { until } from '#test/support/until.ts'
import { devAccount, type Network, startNetwork } from '../publication/network.ts'

const owner = devAccount(0)

interface ExecutionWire {
  block_number: number
  block_hash: string
  runner: string
  particles: { path: string; data: number[] }[]
}

let network: Network

beforeAll(async () => {
  network = await startNetwork()
  network.startWorker()
  await network.draftTransformation('add', owner)
  await network.draftTransformation('boom', owner, 'revert("cannot find connector");')
  await network.post('/condition', { name: 'never', sol_src: 'return args[0] > args[0];' }, owner)
  await network.publish('transformation', 'add', owner)
  await network.publish('transformation', 'boom', owner)
  await network.publish('condition', 'never', owner)
  const dimensions = [{ transformations: [{ name: 'add', args: [1] }] }]
  await network.post('/connector', { name: 'pitch', dimensions }, owner)
  await network.post(
    '/connector',
    { name: 'blocked', dimensions, condition_name: 'never', condition_args: [1] },
    owner,
  )
  await network.post(
    '/connector',
    { name: 'liar', dimensions: [{ transformations: [{ name: 'boom' }] }] },
    owner,
  )
  await network.post('/connector', { name: 'draft', dimensions }, owner)
  const ends = Array.from({ length: 3 }, () => ({ transformations: [] }))
  const last = { 3: { start_point: 4_294_967_295, transformation_shift: 0 } }
  await network.post('/connector', { name: 'ends', dimensions: ends, static_ri: last }, owner)
  for (const [name, composite] of [
    ['branches', 'ends'],
    ['tree', 'branches'],
  ]) {
    await network.post('/connector', { name, dimensions: ends.map((end) => ({ ...end, composite })) }, owner)
  }
  for (const name of ['pitch', 'blocked', 'liar', 'ends', 'branches', 'tree'])
    await network.publish('connector', name, owner)
})
afterAll(() => network?.close())

function execute(connector_name: string, particles_count: number | string = 4, dynamic_ri?: object) {
  return network.post('/execute', { connector_name, particles_count, ...(dynamic_ri && { dynamic_ri }) })
}

describe('POST_execute', () => {
  test('200: particles, pinned to a block at which anyone can repeat the call', async () => {
    const answer = await execute('pitch', 5, { 1: { start_point: 10, transformation_shift: 0 } })
    expect(answer.status).toBe(200)
    const { block_number, block_hash, runner, particles } = answer.json as ExecutionWire
    expect(particles).toEqual([{ path: '/pitch:0', data: [10, 11, 12, 13, 14] }])
    expect(runner).toBe(network.chain.runner.toLowerCase())
    const block = await network.chain.publicClient.getBlock({ blockNumber: BigInt(block_number) })
    expect(block.hash).toBe(block_hash)
    const again = await network.chain.publicClient.readContract({
      address: network.chain.runner,
      abi: runnerAbi,
      functionName: 'generate',
      args: ['pitch', 5, [{ position: 1, startPoint: 10, transformationShift: 0 }]],
      blockNumber: BigInt(block_number),
    })
    expect(again).toEqual([{ path: '/pitch:0', data: '0x0000000a0000000b0000000c0000000d0000000e' }])
  })

  test('200: the specification’s fields, and with ORIGINAL_DIALECT those of its later clients', async () => {
    const body = { connector_name: 'pitch', particles_count: 1 }
    const documented = ['block_hash', 'block_number', 'particles', 'runner']
    const plain = await network.api.send('POST', '/execute', {
      json: body,
      headers: { 'X-Provenance': 'registry' },
    })
    expect(Object.keys(plain.json as object).toSorted()).toEqual(documented)

    const { services } = network.api
    const features = { ...services.config.features, 'original-dialect': { enabled: true } }
    const { send } = endpointsOf('chain', { ...services, config: { ...services.config, features } })
    const answer = await send('POST', '/execute', { json: body })
    expect(Object.keys(answer.json as object).toSorted()).toEqual([...documented, 'registry'].toSorted())
    expect(answer.json).toMatchObject({ registry: network.chain.registry.toLowerCase() })
    const { json: add } = await send('GET', '/transformation/add')
    const { address, runtime_code } = add as { address: Address; runtime_code: string }
    expect(runtime_code).toBe(await network.chain.publicClient.getCode({ address }))
  })

  test('200: 65,536 particles of 27 leaves', async () => {
    const answer = await execute('tree', 65_536)
    expect(answer.status, messageOf(answer)).toBe(200)
    const { particles } = answer.json as ExecutionWire
    expect(particles).toHaveLength(27)
    expect(particles.at(-1)?.data.at(-1)).toBe(4_294_967_295)
  })

  test('400: a response over the size limit, known before, by its size in transit, and after', async () => {
    const limited = await startNetwork({ chain: network.chain, config: { maxAnswerBytes: 262_144 } })
    // Data that the site has read from the chain is cached.
    const reader = limited.startWorker()
    const run = (name: string, particles_count: number) =>
      limited.post('/execute', { connector_name: name, particles_count })
    try {
      const isRead = async () =>
        (await limited.post('/simulate', { connector_name: 'tree', particles_count: 1 })).status === 200
      await until('the worker has read the tree', isRead)
      expect((await run('pitch', 40_000)).status).toBe(200)
      for (const [name, count, words] of [
        ['tree', 10_000, 'the answer would have at least 540,'],
        ['pitch', 65_536, 'the answer of the chain is larger than this server takes'],
        ['pitch', 48_000, 'the answer would have at least 276,'],
      ] as const) {
        const answer = await run(name, count)
        expect(answer.status, name).toBe(400)
        expect(messageOf(answer)).toContain(`Execution rejected: ${words}`)
      }
    } finally {
      await reader.stop()
      await limited.close()
    }
  })

  test('404: not on chain, also when it is a draft here', async () => {
    for (const name of ['Ghost', 'draft', '__proto__', 'toString']) {
      const answer = await execute(name)
      expect(answer.status).toBe(404)
      expect(messageOf(answer)).toBe('Connector not found')
    }
  })

  test('400: rejected by the runner, with the reason', async () => {
    const blocked = await execute('blocked')
    expect(blocked.status).toBe(400)
    expect(messageOf(blocked)).toBe('Execution rejected: Condition not met')
    const overflow = await execute('pitch', 5, { 1: { start_point: 4_294_967_293, transformation_shift: 0 } })
    expect(overflow.status).toBe(400)
    expect(messageOf(overflow)).toBe('Execution rejected: Arithmetic overflow or underflow')
  })

  test('400: a body that uses the runner’s own words does not turn into a 404', async () => {
    const answer = await execute('liar')
    expect(answer.status).toBe(400)
    expect(messageOf(answer)).toBe('Execution rejected: cannot find connector')
  })

  test('400: out of gas is reported', async () => {
    const { config } = network.api.services
    const poor = await startNetwork({
      chain: network.chain,
      config: { execute: { ...config.execute, gasLimit: 60_000n } },
    })
    try {
      const answer = await poor.post('/execute', { connector_name: 'pitch', particles_count: 65_536 })
      expect(answer.status).toBe(400)
      expect(messageOf(answer)).toMatch(/out of gas|without a reason/)
    } finally {
      await poor.close()
    }
  })

  test('503: the endpoint serves another chain than the configured one', async () => {
    const other = await startNetwork({ chain: network.chain, config: { chainId: 1 } })
    try {
      const answer = await other.post('/execute', { connector_name: 'pitch', particles_count: 1 })
      expect(answer.status).toBe(503)
      expect(messageOf(answer)).toMatch(/serves chain 31337/)
    } finally {
      await other.close()
    }
  })
})

describe('POST_execute against a chain that lies', () => {
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const lies: Record<string, string> = {
    nothing: '0x',
    'half a word': '0x00',
    'an empty list': `0x${word(32)}${word(0)}`,
    'an offset beyond the end': `0x${word(32)}${word(1)}${word(9999)}`,
    'a list of a billion': `0x${word(32)}${word(1e9)}`,
    'too few values': `0x${word(32)}${word(1)}${word(32)}${word(64)}${word(128)}${word(1)}61${'00'.repeat(31)}${word(4)}${'00'.repeat(32)}`,
  }
  for (const [what, result] of Object.entries(lies)) {
    test(`502: ${what}`, async () => {
      const node = await startRpcProxy(network.chain.url)
      node.intervene = ({ method }) => (method === 'eth_call' ? { result } : undefined)
      const other = await startNetwork({ chain: network.chain, config: { chainRpcUrl: node.url } })
      try {
        const answer = await other.post('/execute', { connector_name: 'pitch', particles_count: 4 })
        expect(answer.status).toBe(502)
      } finally {
        await other.close()
        await node.close()
      }
    })
  }
})

test('the fast decoder and the ABI decoder read the same', async () => {
  const { data } = await network.chain.publicClient.call({
    to: network.chain.runner,
    data: encodeFunctionData({ abi: runnerAbi, functionName: 'generate', args: ['pitch', 300, []] }),
  })
  const decoded = decodeFunctionResult({ abi: runnerAbi, functionName: 'generate', data: data! })
  const particles = ((await execute('pitch', 300)).json as ExecutionWire).particles
  expect(particles.map(({ path }) => path)).toEqual(decoded.map(({ path }) => path))
  expect(particles[0]?.data).toEqual(
    Array.from({ length: 300 }, (_, i) => Buffer.from(decoded[0]!.data.slice(2), 'hex').readUInt32BE(i * 4)),
  )
})
