import { createEVM } from '@ethereumjs/evm'
import { Account, createZeroAddress, hexToBytes } from '@ethereumjs/util'
import { decodeErrorResult, size } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registryAbi } from '#lib/protocol/abi.ts'
import type { CodeArtifact } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import { FORBIDDEN_OPCODES, findForbiddenOpcode } from '#lib/protocol/opcodes.ts'
import { Random } from '#test/suites/simulation/random.ts'
import { drawn, SEED } from '#test/support/slice.ts'
import { startNode, type TestNetwork, type TestNode } from './network.ts'

let node: TestNode
let network: TestNetwork
beforeAll(async () => {
  node = await startNode()
  network = await node.deploy()
})
afterAll(() => node.close())

type Verdict = readonly [opcode: number, offset: number] | 'accepted'

/** The contract's verdict on code, by a publication that is not sent. */
async function onChain(runtime: Hex, metadata: Hex = '0x'): Promise<Verdict> {
  const contentHash = codeContentHash('transformation', 'Any', 0, runtime)
  const artifact: CodeArtifact = { kind: 'transformation', name: 'Any', argsCount: 0, runtime, contentHash }
  const answer = await network.tryPublish(await network.publication(artifact, { nonce: 0n, metadata }))
  if (answer.ok) return 'accepted'
  const { errorName, args } = decodeErrorResult({ abi: registryAbi, data: answer.revertData })
  if (errorName !== 'ForbiddenOpcode') throw new Error(`${errorName} for ${runtime}`)
  return [args[0], Number(args[1])]
}

function inLibrary(runtime: Hex): Verdict {
  const found = findForbiddenOpcode(hexToBytes(runtime))
  return found === undefined ? 'accepted' : [found.opcode, found.offset]
}

function repeat(byte: string, times: number) {
  return byte.repeat(times)
}

const CASES: Readonly<Record<string, readonly [code: string, verdict: Verdict]>> = {
  'an opcode by itself': ['ff', [0xff, 0]],
  'selfdestruct to the caller': ['33ff', [0xff, 1]],
  'its byte as push data': ['60ff', 'accepted'],
  'a mask': ['63ffffffff1600', 'accepted'],
  'behind push data that looks like a push': ['6063ff', [0xff, 2]],
  'behind 32 bytes of push data': [`7f${repeat('ff', 32)}ff`, [0xff, 33]],
  'behind an empty push': ['5fff', [0xff, 1]],
  'in a push that the end cuts short': ['7fff', 'accepted'],
  'a push as the last byte': ['5b63', 'accepted'],
  'behind stop': ['00ff', 'accepted'],
  'behind jump': ['56ff', 'accepted'],
  'behind return': ['f3ff', 'accepted'],
  'behind revert': ['fdff', 'accepted'],
  'behind invalid': ['feff', 'accepted'],
  'behind a jump with a condition': ['57ff', [0xff, 1]],
  'behind stop and a jump destination': ['005bff', [0xff, 2]],
  'behind stop and a jump destination that is push data': ['00605bff', 'accepted'],
  'behind a jump destination at the end of push data behind stop': ['0060005bff', [0xff, 4]],
  'in data behind stop that hides a jump destination': ['0064005b00ff5bf4', 'accepted'],
  // Stop may become the operand of the opcode before it.
  'behind an undefined opcode and stop': ['e600ff', [0xff, 2]],
  'behind an undefined opcode and two terminators': ['e60000ff', [0xff, 3]],
  'behind an undefined opcode, a jump destination and stop': ['e65b00ff', 'accepted'],
  'behind an undefined opcode that is not reached': ['00e600ff', 'accepted'],
  'the first of two': ['60005bf4ff', [0xf4, 3]],
  'a reachable one behind one that is not': ['00ff5bf5', [0xf5, 3]],
  'at the end of the longest code': [`${repeat('5b', 24_575)}ff`, [0xff, 24_575]],
  'in no place of the longest code': [repeat('5b', 24_576), 'accepted'],
}

describe('a forbidden opcode', () => {
  test.each(Object.entries(CASES))('%s', async (_, [code, verdict]) => {
    expect(inLibrary(`0x${code}`)).toEqual(verdict)
    expect(await onChain(`0x${code}`)).toEqual(verdict)
  })

  test('is one of exactly five', async () => {
    for (let opcode = 0; opcode < 0xef; opcode++) expect(inLibrary(byteHex(opcode))).toBe('accepted')
    for (let opcode = 0xf0; opcode <= 0xff; opcode++) {
      const verdict = FORBIDDEN_OPCODES.has(opcode) ? ([opcode, 0] as const) : 'accepted'
      expect(inLibrary(byteHex(opcode))).toEqual(verdict)
      expect(await onChain(byteHex(opcode))).toEqual(verdict)
    }
  })

  test('is found at every place of the unrolled steps, and what follows the code is not code', async () => {
    for (let before = 0; before < 70; before++) {
      const head = repeat('5b', before)
      expect(await onChain(`0x${head}ff`)).toEqual([0xff, before])
      expect(await onChain(`0x${head}60`, `0x${repeat('ff', 80)}`)).toBe('accepted')
    }
  })
})

const ROUNDS = drawn(100)

const FREQUENT = [
  0x00, 0x56, 0x57, 0x5b, 0x5b, 0x60, 0x61, 0x63, 0x7f, 0xe6, 0xf0, 0xf2, 0xf3, 0xf4, 0xf5, 0xfe, 0xff,
]
const HARMLESS = [0x01, 0x34, 0x35, 0x50, 0x58, 0x5f, 0x80, 0x90]

/** Code in which pushes, jumps, terminators and forbidden opcodes are frequent. */
function randomCode(random: Random): Hex {
  const bytes = Array.from({ length: random.between(1, 160) }, () => {
    if (random.chance(0.2)) return random.pick(FREQUENT)
    return random.chance(0.75) ? random.pick(HARMLESS) : random.between(0, 0xff)
  })
  // The first byte of another code format; and the EVM here has no block to read the last two from.
  const usable = bytes.map((byte, i) =>
    (i === 0 && byte === 0xef) || byte === 0x48 || byte === 0x4a ? 0 : byte,
  )
  return `0x${Buffer.from(usable).toString('hex')}`
}

test('contract and library decide alike about random code', async () => {
  const random = new Random(SEED)
  const seen = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    const code = randomCode(random)
    const verdict = inLibrary(code)
    expect(await onChain(code), code).toEqual(verdict)
    seen.add(verdict === 'accepted' ? verdict : String(verdict[0]))
  }
  expect(seen.size).toBe(6)
})

test('accepted code runs none of them, wherever it jumps', async () => {
  const random = new Random(SEED + 1)
  const evm = await createEVM()
  // The account that code runs on, which SSTORE needs.
  await evm.stateManager.putAccount(createZeroAddress(), new Account())
  const ran = new Map<string, number>()
  evm.events!.on('step', ({ opcode }, done) => {
    ran.set(opcode.name, (ran.get(opcode.name) ?? 0) + 1)
    done?.()
  })
  /** Runs the code from its start or, behind a jump to an offset from the calldata, from anywhere. */
  const run = async (code: string, target: number) => {
    const data = new Uint8Array(32)
    data[31] = target + 3
    await evm.runCode({ code: hexToBytes(`0x5f3556${code}`), data, gasLimit: 5000n })
  }
  let accepted = 0
  for (let round = 0; round < 8 * ROUNDS; round++) {
    const code = randomCode(random)
    if (inLibrary(code) !== 'accepted') continue
    accepted++
    await evm.runCode({ code: hexToBytes(code), gasLimit: 5000n })
    for (let target = 0; target < size(code); target++) {
      if (code.slice(2 + 2 * target, 4 + 2 * target) === '5b') await run(code.slice(2), target)
    }
  }
  expect(accepted).toBeGreaterThan(ROUNDS / 4)
  expect(ran.get('JUMPDEST')).toBeGreaterThan(ROUNDS)
  expect([...ran.keys()].filter((name) => [...FORBIDDEN_OPCODES.values()].includes(name))).toEqual([])
  // The same run does see one in code that the scan refuses.
  await run('60005bff', 2)
  expect(ran.has('SELFDESTRUCT')).toBe(true)
})

function byteHex(byte: number): Hex {
  return `0x${byte.toString(16).padStart(2, '0')}`
}
