import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createExactEngine } from '#lib/compute/simulator/exact-engine.ts'
import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'

/*
 * Code that shows how much gas a node has left: the simulation gives what nodes of any limit give, or refuses.
 */

const LIMITS = [30_000_000n, 100_000_000n, 2_000_000_000n]
const ADDRESS: Address = `0x${'ab'.repeat(20)}`

let chain: TestChain
beforeAll(async () => {
  chain = await testChain()
})
afterAll(() => chain?.close())

function push(value: number): string {
  return `63${value.toString(16).padStart(8, '0')}`
}
function store(at: number, value: number): string {
  return `${push(value)}${push(at)}52`
}
interface Call {
  readonly target: number
  readonly input: number
  readonly gas?: number
  readonly output?: number
}
/** Leaves success on the stack; the output stands at 0x8000. */
function staticCall({ target, input, gas, output = 32 }: Call): string {
  return `${push(output)}${push(0x8000)}${push(input)}${push(0)}${push(target)}${gas === undefined ? '5a' : push(gas)}fa`
}
const ignore = '50'
/** Jumps to an INVALID where the call failed. */
function require(at: number): string {
  return `15${push(at)}57`
}
const answer = `${push(32)}${push(0x8000)}f3`

/** 256 bytes to the power of so many bytes of zeros, modulo 7: 2,048 gas for each bit of them but 32 bytes. */
function modexp(exponentBytes: number): string {
  const input = 0x60 + 256 + exponentBytes + 256
  return store(0, 256) + store(32, exponentBytes) + store(64, 256) + store(input - 32, 7)
}
function modexpCall(exponentBytes: number, more: Partial<Call> = {}): string {
  return staticCall({ target: 5, input: 0x60 + 256 + exponentBytes + 256, output: 256, ...more })
}
const lastOfModexp = `${push(32)}${push(0x8000 + 224)}f3`

async function simulated(code: string): Promise<string> {
  const runtime: Hex = `0x${code}`
  const contentHash: Hash = `0x${createHash('sha256').update(code).digest('hex')}`
  const engine = createExactEngine()
  const outcome = await engine.call({
    code: { kind: 'transformation', name: 'x', argsCount: 0, runtime, contentHash },
    calldata: new Uint8Array(4),
    gas: 2_000_000_000n,
    block: undefined,
  })
  if (outcome.status === 'returned') return `0x${Buffer.from(outcome.output).toString('hex')}`
  return outcome.status === 'refused' ? `refused: ${outcome.reads}` : outcome.status
}

/** Answers of nodes with these limits; undefined for an error. */
async function onNodes(code: string): Promise<readonly (string | undefined)[]> {
  await chain.rpc('anvil_setCode', [ADDRESS, `0x${code}`])
  return Promise.all(
    LIMITS.map((gas) =>
      chain
        .rpc('eth_call', [{ to: ADDRESS, data: '0x00000000', gas: `0x${gas.toString(16)}` }, 'latest'])
        .then(String, () => undefined),
    ),
  )
}

describe('nodes of different limits give different numbers, and the simulation says so', () => {
  test.each<[string, string]>([
    ['modexp of 32 M gas', modexp(1024) + modexpCall(1024) + ignore + lastOfModexp],
    [
      'blake2f of 40 M rounds',
      store(0, 0) +
        `${push(40_000_000)}60e01b${push(0)}52` +
        staticCall({ target: 9, input: 213, output: 64 }) +
        ignore +
        answer,
    ],
    ['all gas read directly', `5a${push(0)}52${push(32)}${push(0)}f3`],
  ])('%s', async (_what, code) => {
    const nodes = await onNodes(code)
    expect(new Set(nodes).size).toBeGreaterThan(1)
    expect(await simulated(code)).toMatch(/^refused/)
  })
})

describe('code that a starved node could answer otherwise is refused', () => {
  const words = 80 * 1024
  test.each<[string, string]>([
    ['modexp of 2 M gas', modexp(94) + modexpCall(94) + ignore + lastOfModexp],
    ['SHA-256 of a large memory', staticCall({ target: 2, input: words }) + ignore + answer],
    [
      'the identity of a large memory',
      store(0, 7) + staticCall({ target: 4, input: words * 4 }) + ignore + answer,
    ],
    [
      'only the second of two',
      staticCall({ target: 2, input: 32 }) +
        ignore +
        staticCall({ target: 2, input: words }) +
        ignore +
        answer,
    ],
    ['no point of a pairing', staticCall({ target: 8, input: 0 }) + ignore + answer],
    [
      'a call with too little gas of its own',
      staticCall({ target: 2, input: 320, gas: 100 }) + ignore + answer,
    ],
  ])('%s', async (_what, code) => {
    expect(await simulated(code)).toMatch(/^refused/)
  })
})

describe('code that fails with its precompile, or that no node could starve, gives the same everywhere', () => {
  const end = (code: string) => code.length / 2
  const checked = (call: string, result: string) => {
    const at = end(call) + end(require(0)) + end(result)
    return `${call}${require(at)}${result}5bfe`
  }
  test.each<[string, string]>([
    ['modexp of 2 M gas', checked(modexp(94) + modexpCall(94), lastOfModexp)],
    ['SHA-256 of a large memory', checked(staticCall({ target: 2, input: 80 * 1024 }), answer)],
    ['SHA-256 of a word, ignored', staticCall({ target: 2, input: 32 }) + ignore + answer],
    [
      'an identity that nothing reads',
      staticCall({ target: 4, input: 80 * 1024 }) + ignore + `${push(32)}${push(0x10000)}f3`,
    ],
  ])('%s', async (_what, code) => {
    const value = await simulated(code)
    expect(value).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await onNodes(code)).toEqual([value, value, value])
  })
})
