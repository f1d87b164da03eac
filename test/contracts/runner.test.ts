import { decodeErrorResult, encodeErrorResult, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runnerAbi } from '#lib/protocol/abi.ts'
import { encodeConnectorCode } from '#lib/protocol/connector-code.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import type { Address, Hex } from '#lib/protocol/entity.ts'
import { define } from '#test/support/definitions.ts'
import { type Answer, startNode, streams, type TestNetwork, type TestNode } from './network.ts'

const PANIC_OVERFLOW = `0x4e487b71${'11'.padStart(64, '0')}`

let node: TestNode
let network: TestNetwork
beforeAll(async () => {
  node = await startNode()
  network = await node.deploy()
  await network.body('transformation', 'Plus', 'return x + args[0];')
  await network.body('transformation', 'Times', 'unchecked { return x * args[0]; }')
  await network.body('transformation', 'Stay', 'return x;')
  await network.body('transformation', 'Twist', 'return uint32(uint256(keccak256(abi.encode(x, args))));')
  await network.body('transformation', 'Fold', 'return x % args[0];')
})
afterAll(() => node.close())

function plus(by: number) {
  return { name: 'Plus', args: [by] }
}
function times(by: number) {
  return { name: 'Times', args: [by] }
}

async function values(name: string, count: number, dynamicRi: Parameters<TestNetwork['generate']>[2] = []) {
  return streams(await network.generate(name, count, dynamicRi)).map(({ data }) => data)
}

function errorOf(answer: Answer): string {
  if (answer.ok) return 'none'
  if (answer.revertData === '0x') return 'empty'
  return decodeErrorResult({ abi: runnerAbi, data: answer.revertData }).errorName
}

/** s(0) … s(count - 1) of the definition. */
function sequence(steps: readonly ((x: number) => number)[], count: number, start = 0, shift = 0): number[] {
  const out = [start]
  for (let k = 1; k < count; k++) out.push(steps[(shift + k - 1) % steps.length]!(out[k - 1]!))
  return out.slice(0, count)
}

describe('sequences longer than one piece', () => {
  const add = (by: number) => (x: number) => x + by
  const multiply = (by: number) => (x: number) => Number((BigInt(x) * BigInt(by)) & 0xffffffffn)
  beforeAll(async () => {
    await network.connector({ name: 'Ones', dimensions: [{ transformations: [plus(1)] }] })
    await network.connector({
      name: 'Turns',
      dimensions: [{ transformations: [plus(1), plus(20), plus(3)] }],
    })
    await network.connector({
      name: 'Mixed',
      dimensions: [{ transformations: [plus(1), times(3), plus(7)] }],
    })
    await network.connector({
      name: 'Stays',
      dimensions: [{ transformations: [{ name: 'Stay' }, { name: 'Stay' }] }],
    })
  })

  test.each([1, 2, 7, 8, 9, 2047, 2048, 2049, 2050, 4097, 5000])('%i particles', async (count) => {
    const ri = [
      { position: 0, startPoint: 5, transformationShift: 9 },
      { position: 1, startPoint: 2, transformationShift: 4 },
    ]
    const cases = [
      ['Ones', [add(1)]],
      ['Turns', [add(1), add(20), add(3)]],
      ['Mixed', [add(1), multiply(3), add(7)]],
      ['Stays', [(x: number) => x]],
    ] as const
    for (const [name, steps] of cases) {
      expect(await values(name, count), name).toEqual([sequence(steps, count)])
      // From index 5, with a start of the dimension's own and a shifted cycle.
      expect(await values(name, count, ri), name).toEqual([sequence(steps, count + 5, 2, 4).slice(5)])
    }
  })

  test('indices that ascend with gaps, across pieces and with repeats', async () => {
    await network.connector({
      name: 'Gaps',
      dimensions: [
        { transformations: [plus(700)], composite: 'Turns' },
        { transformations: [plus(0), plus(2048)], composite: 'Mixed' },
        { composite: 'Ones' },
      ],
    })
    const count = 12
    const turns = sequence([add(1), add(20), add(3)], 700 * count)
    const mixed = sequence([add(1), multiply(3), add(7)], 2048 * count)
    expect(await values('Gaps', count)).toEqual([
      sequence([add(700)], count).map((i) => turns[i]),
      sequence([add(0), add(2048)], count).map((i) => mixed[i]),
      sequence([add(0)], count),
    ])
  })

  test('indices in no order, up to a maximum anywhere', async () => {
    await network.connector({
      name: 'Jumps',
      dimensions: [{ transformations: [plus(911), { name: 'Fold', args: [5000] }], composite: 'Turns' }],
    })
    const count = 300
    const indices = sequence([add(911), (x) => x % 5000], count)
    const turns = sequence([add(1), add(20), add(3)], 8000)
    expect(indices.some((index, k) => k > 0 && index < indices[k - 1]!)).toBe(true)
    expect(await values('Jumps', count)).toEqual([indices.map((index) => turns[index])])
  })

  test('a body that allocates memory costs the same at every step', async () => {
    await network.connector({ name: 'Twists', dimensions: [{ transformations: [{ name: 'Twist' }] }] })
    const gas = async (count: number) => Number(await network.estimate('Twists', count))
    const [few, some, many] = [await gas(100), await gas(1100), await gas(2000)]
    const [early, late] = [(some - few) / 1000, (many - some) / 900]
    expect(late).toBeLessThan(early * 1.02)
  })
})

describe('edges of 32 bits', () => {
  test('the last index that exists, and the one after', async () => {
    await network.connector({ name: 'Flat', dimensions: [{}] })
    const ri = (startPoint: number) => [{ position: 0, startPoint, transformationShift: 0 }]
    expect(await values('Flat', 2, ri(4_294_967_294))).toEqual([[0, 0]])
    expect(await network.generate('Flat', 3, ri(4_294_967_294))).toEqual({
      ok: false,
      revertData: PANIC_OVERFLOW,
    })
  })

  test('values at the top are indices like any other', async () => {
    await network.connector({ name: 'High', dimensions: [{ composite: 'Flat' }] })
    const ri = [
      { position: 1, startPoint: 4_294_967_295, transformationShift: 0 },
      { position: 2, startPoint: 4_294_967_295, transformationShift: 3 },
    ]
    expect(await values('High', 3, ri)).toEqual([[4_294_967_295, 4_294_967_295, 4_294_967_295]])
  })

  test('a cycle whose turn number overflows stops there, after the steps before it', async () => {
    const ri = (transformationShift: number) => [{ position: 1, startPoint: 0, transformationShift }]
    expect(await values('Turns', 2, ri(4_294_967_294))).toEqual([[0, 3]])
    expect(await values('Turns', 1, ri(4_294_967_295))).toEqual([[0]])
    const overflow = { ok: false, revertData: PANIC_OVERFLOW }
    expect(await network.generate('Turns', 3, ri(4_294_967_294))).toEqual(overflow)
    expect(await network.generate('Turns', 2, ri(4_294_967_295))).toEqual(overflow)
    expect(await network.generate('Mixed', 3, ri(4_294_967_294))).toEqual(overflow)
    // One call: the shift means nothing.
    expect(await values('Ones', 3, ri(4_294_967_295))).toEqual([[0, 1, 2]])
    // Of a failing step and a later overflow, the failing step is reported.
    await network.body('transformation', 'Fails', 'require(x != 0, "zero"); return x;')
    await network.connector({
      name: 'Breaks',
      dimensions: [{ transformations: [{ name: 'Fails' }, plus(1)] }],
    })
    // Shift 4294967294 is even: the first step is `Fails`.
    expect(errorOf(await network.generate('Breaks', 3, ri(4_294_967_294)))).toBe('Error')
  })
})

describe('deep and wide', () => {
  test('a chain of 200 levels', async () => {
    await network.connector({ name: 'Chain1', dimensions: [{ transformations: [plus(1)] }] })
    for (let level = 2; level <= 200; level++) {
      await network.connector({
        name: `Chain${level}`,
        dimensions: [
          { transformations: [level % 50 === 0 ? plus(2) : plus(1)], composite: `Chain${level - 1}` },
        ],
      })
    }
    const [stream] = streams(await network.generate('Chain200', 5))
    expect(stream!.path.split('/').length - 1).toBe(200)
    expect(stream!.path.startsWith('/Chain200:0/Chain199:0/')).toBe(true)
    expect(stream!.data).toEqual([0, 16, 32, 48, 64])
  })

  test('bindings within bindings', async () => {
    await network.connector({
      name: 'Pair',
      dimensions: [{ transformations: [plus(1)] }, { transformations: [plus(2)] }],
    })
    await network.connector({ name: 'Tens', dimensions: [{ transformations: [plus(10)] }] })
    await network.connector({ name: 'Once', dimensions: [{ composite: 'Pair', bindings: { 0: 'Pair' } }] })
    await network.connector({
      name: 'Twice',
      dimensions: [
        { transformations: [plus(1)], composite: 'Once', bindings: { 1: 'Once', 2: 'Tens' } },
        { transformations: [plus(1)], composite: 'Pair', bindings: { 1: 'Tens' } },
      ],
    })
    expect(streams(await network.generate('Twice', 3)).map(({ path }) => path)).toEqual([
      '/Twice:0/Once:0/Pair:0/Pair:0',
      '/Twice:0/Once:0/Pair:0/Pair:1/Once:0/Pair:0/Pair:0',
      '/Twice:0/Once:0/Pair:0/Pair:1/Once:0/Pair:0/Pair:1',
      '/Twice:0/Once:0/Pair:0/Pair:1/Once:0/Pair:1',
      '/Twice:0/Once:0/Pair:1/Tens:0',
      '/Twice:1/Pair:0',
      '/Twice:1/Pair:1/Tens:0',
    ])
  })
})

describe('entities that do not behave', () => {
  /** Publishes raw code, which any owner can do. */
  async function raw(kind: 'transformation' | 'condition', name: string, runtime: Hex): Promise<void> {
    const contentHash = codeContentHash(kind, name, 0, runtime)
    await network.publish({ kind, name, argsCount: 0, runtime, contentHash })
  }

  test.each([
    ['Nothing', '0x00', 'InvalidEntity'],
    ['Short', '0x601f5ff3', 'InvalidEntity'],
    ['Dirty', '0x5f195f5260205ff3', 'InvalidEntity'],
    ['Spent', '0xfe', 'empty'],
    ['Loud', '0x6127105ffd', 'other'],
  ] as const)('%s', async (name, runtime, error) => {
    await raw('transformation', name, runtime)
    await raw('condition', name, runtime)
    const call = { name }
    await network.connector({ name: `${name}Alone`, dimensions: [{ transformations: [call] }] })
    await network.connector({ name: `${name}Mixed`, dimensions: [{ transformations: [plus(1), call] }] })
    await network.connector({ name: `${name}If`, dimensions: [{}], condition_name: name })
    for (const connector of [`${name}Alone`, `${name}Mixed`, `${name}If`]) {
      const answer = await network.generate(connector, 40)
      if (error === 'other') expect(answer).toEqual({ ok: false, revertData: `0x${'00'.repeat(10_000)}` })
      else expect(errorOf(answer), connector).toBe(error)
    }
  })

  test('more output than requested is cut where one value is read, refused where values are counted', async () => {
    await raw('transformation', 'Long', '0x6110005ff3')
    await network.connector({
      name: 'LongMixed',
      dimensions: [{ transformations: [{ name: 'Long' }, plus(1)] }],
    })
    await network.connector({ name: 'LongAlone', dimensions: [{ transformations: [{ name: 'Long' }] }] })
    expect(await values('LongMixed', 4)).toEqual([[0, 0, 1, 0]])
    expect(errorOf(await network.generate('LongAlone', 4))).toBe('InvalidEntity')
  })

  test('addresses where no connector is', async () => {
    const transformation = await network.address('transformation', 'Plus')
    const precompile = '0x0000000000000000000000000000000000000004'
    const nobody = '0x00000000000000000000000000000000000000aa'
    for (const address of [nobody, precompile, transformation, network.registry, network.runner] as const) {
      expect(await network.generateAt(address, 3)).toEqual({
        ok: false,
        revertData: encodeErrorResult({
          abi: runnerAbi,
          errorName: 'InvalidEntity',
          args: [address],
        }),
      })
    }
  })

  test('data that leads back to itself ends', async () => {
    const address = `0x${'c1'.repeat(20)}` as Address
    const definition = define({ name: 'Loop', dimensions: [{ composite: 'Loop' }] })
    await node.setCode(
      address,
      encodeConnectorCode(definition, () => address, 1, 7),
    )
    expect((await network.generateAt(address, 3)).ok).toBe(false)
  })

  test('noise in the shape of connector data ends', async () => {
    const sound = encodeConnectorCode(
      define({
        name: 'Noise',
        dimensions: [
          { transformations: [plus(1)], composite: 'Pair', bindings: { 0: 'Pair' } },
          { transformations: [plus(1), times(2)] },
        ],
        static_ri: { 1: { start_point: 1, transformation_shift: 1 } },
      }),
      (kind) => (kind === 'connector' ? pair : transformation),
      3,
      3,
    )
    const bytes = Buffer.from(sound.slice(2), 'hex')
    const address = `0x${'c2'.repeat(20)}` as Address
    let seed = 12_345
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      return (seed >>> 8) % below
    }
    let refused = 0
    for (let round = 0; round < 150; round++) {
      const damaged = Buffer.from(bytes)
      for (let change = 0; change <= random(3); change++) damaged[2 + random(bytes.length - 2)] = random(256)
      const cut = random(4) === 0 ? damaged.subarray(0, random(bytes.length)) : damaged
      await node.setCode(address, toHex(cut))
      // Running out of gas is an end as well.
      const answer = await network.generateAt(address, 3, [], 30_000_000n).catch((error: Error) => {
        expect(error.message).toMatch(/OOG|OutOfGas|out of gas/i)
        return undefined
      })
      if (!answer?.ok) refused++
    }
    expect(refused).toBeGreaterThan(50)
  })

  let pair: Address
  let transformation: Address
  beforeAll(async () => {
    transformation = await network.address('transformation', 'Plus')
    pair = await network.address('connector', 'Pair')
  })
})
