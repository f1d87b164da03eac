import { encodeAbiParameters } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registryAbi } from '#lib/protocol/abi.ts'
import { decodeConnectorCode, encodeConnectorCode } from '#lib/protocol/connector-code.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import { decodePayload, encodePayload } from '#lib/protocol/payload.ts'
import { codeArtifact, startNode, type TestNode } from './network.ts'

let node: TestNode
beforeAll(async () => {
  node = await startNode()
})
afterAll(() => node.close())

/** Every field of a connector, at the limits of its numbers. */
const RICH = {
  name: 'Rich_1',
  dimensions: [
    {
      transformations: [
        { name: 'Plus', args: [4_294_967_295] },
        { name: 'Blank' },
        { name: 'Three', args: [0, 1, 2_147_483_648] },
      ],
      composite: 'Base',
      bindings: { 0: 'Leaf', 2: 'Base' },
    },
    {},
    { composite: 'Base' },
  ],
  condition_name: 'Above',
  condition_args: [-2_147_483_648, 2_147_483_647],
  static_ri: {
    0: { start_point: 1, transformation_shift: 2 },
    7: { start_point: 4_294_967_295, transformation_shift: 0 },
    4294967295: { start_point: 0, transformation_shift: 4_294_967_295 },
  },
}

test('what stands on chain is what the domain library writes, byte for byte', async () => {
  const network = await node.deploy()
  await network.body('transformation', 'Plus', 'return x + args[0];')
  await network.body('transformation', 'Blank', 'return x;')
  await network.body('transformation', 'Three', 'return x + args[2];')
  await network.body('condition', 'Above', 'return args[0] > args[1];')
  await network.connector({ name: 'Leaf', dimensions: [{}] })
  await network.connector({ name: 'Base', dimensions: [{}, {}, { composite: 'Leaf' }] })
  const rich = await network.connector(RICH)
  if (rich.kind !== 'connector') throw new Error('unreachable')
  expect(rich.leaves).toHaveLength(9)
  expect(rich.depth).toBe(5)

  const addresses = new Map<string, `0x${string}`>()
  for (const { kind, name } of rich.dependencies) {
    addresses.set(`${kind}/${name}`, await network.address(kind, name))
  }
  const addressOf = (kind: EntityKind, name: string) => addresses.get(`${kind}/${name}`)!
  const expected = encodeConnectorCode(rich.definition, addressOf, rich.leaves.length, rich.depth)
  const code = await node.publicClient.getCode({ address: await network.address('connector', 'Rich_1') })
  expect(code).toBe(expected)

  const plus = codeArtifact('transformation', 'Plus', 'return x + args[0];')
  if (plus.kind === 'connector') throw new Error('unreachable')
  const runtime = await node.publicClient.getCode({
    address: await network.address('transformation', 'Plus'),
  })
  expect(runtime).toBe(plus.runtime)

  const entry = await node.publicClient.readContract({
    address: network.registry,
    abi: registryAbi,
    functionName: 'entry',
    args: [0, 'Rich_1'],
  })
  expect(entry[3]).toBe(rich.contentHash)

  // And everything can be read back.
  const read = decodeConnectorCode(expected)
  expect(read).toMatchObject({ name: 'Rich_1', leafCount: 9, depth: 5, staticRi: rich.definition.staticRi })
  expect(read.condition).toEqual({ address: addressOf('condition', 'Above'), args: RICH.condition_args })
  expect(read.dimensions[0]!.composite!.bindings).toEqual([
    { slot: 0, address: addressOf('connector', 'Leaf') },
    { slot: 2, address: addressOf('connector', 'Base') },
  ])
  expect(read.dimensions[0]!.calls.map(({ args }) => args)).toEqual([
    [4_294_967_295],
    [],
    [0, 1, 2_147_483_648],
  ])
  expect(read.dimensions[1]).toEqual({ calls: [], composite: undefined })
  expect(decodePayload('connector', 'Rich_1', encodePayload(rich))).toEqual({
    kind: 'connector',
    definition: rich.definition,
  })
})

test('connector data that is cut, stretched or of another version is refused', () => {
  const code = encodeConnectorCode(
    {
      name: 'A',
      dimensions: [{ transformations: [], composite: '', bindings: [] }],
      conditionName: '',
      conditionArgs: [],
      staticRi: [],
    },
    () => '0x',
    1,
    1,
  )
  expect(code).toBe(`0x00010001000100010141${'00'}${'0000'}${'0000'}00`)
  expect(() => decodeConnectorCode(code)).not.toThrow()
  for (const bad of [code.slice(0, -2), `${code}00`, '0x', '0x6001', code.replace('0x0001', '0x0002')]) {
    expect(() => decodeConnectorCode(bad as `0x${string}`)).toThrow()
  }
})

test('payloads read back, and only their one encoding does', () => {
  const plus = codeArtifact('transformation', 'Plus', 'return x + args[0];')
  const payload = encodePayload(plus)
  expect(decodePayload('transformation', 'Plus', payload)).toMatchObject({ argsCount: 1 })
  const trailing = `${payload}${'00'.repeat(32)}` as const
  const moved = encodeAbiParameters(
    [{ type: 'uint32' }, { type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }],
    [1, 96n, 0n, 1n, 1n << 248n],
  )
  for (const bad of ['0x', '0x1234', trailing, moved] as const) {
    expect(() => decodePayload('transformation', 'Plus', bad)).toThrow()
    expect(() => decodePayload('connector', 'Plus', bad)).toThrow()
  }
})
