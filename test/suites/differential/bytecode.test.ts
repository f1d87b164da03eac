import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { encodeFunctionData, type Hex, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectChain } from '#lib/chain/access.ts'
import { outcomeOf } from '#lib/chain/evm-call.ts'
import { readNewestBlock } from '#lib/chain/newest-block.ts'
import { NodeRefusal, viaProvider } from '#lib/chain/provider.ts'
import { createExactEngine } from '#lib/compute/simulator/exact-engine.ts'
import { Unanswerable } from '#lib/compute/simulator/local-evm.ts'
import { compileBody } from '#lib/compute/solidity/compile-body.ts'
import { createEngine, type Engine, translators } from '#lib/engine/engine.ts'
import type { RunRequest } from '#lib/engine/run.ts'
import { runnerAbi } from '#lib/protocol/abi.ts'
import type { BlockFields } from '#lib/protocol/code-traits.ts'
import { OPCODES } from '#lib/protocol/opcodes.ts'
import { decodeParticles } from '#lib/protocol/particles.ts'
import { createBrowserEngine } from '#test/support/browser-engine.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'
import { simulatedAddress, simulatedCode } from '#test/support/machine.ts'
import { runOnReferenceEngine } from '#test/support/reference-engine.ts'
import { drawn, SEED } from '#test/support/slice.ts'
import { type CodeRun, codeRuns, codes, LOOKING_BODIES, requestOf } from './bytecodes.ts'

/** Runs to compare of code not built by our compiler, and of bodies that read their environment, which are compiled first. */
const CODES = drawn(15)
const BODIES = drawn(5)
const RUNS_OF_A_BODY = 4
/** Without a common divisor with the number of bodies, so that every one comes. */
const STRIDE = 101
const GAS = 1_500_000n
const CHAIN_GAS = 50_000_000n
const LIMITS = { steps: 3_000_000, gas: GAS, milliseconds: 20_000 }

/** One answer in a form that compares byte for byte; `none` where a limit ended the run. */
type Answer =
  | { readonly particles: readonly (readonly [string, string])[] }
  | { readonly revertData: Hex }
  | { readonly refused: string }
  | 'none'

/** As a server has it; as a browser has it; the same without specialised steps. */
const engines = {
  server: createEngine({ exact: createExactEngine(), translators }),
  browser: await createBrowserEngine(),
  translated: createEngine({ translators: { translate: translators.translate } }),
} satisfies Record<string, Engine>
const compiled = Object.values(
  JSON.parse(readFileSync(new URL('../../fixtures/compiled-bodies.json', import.meta.url), 'utf8')) as Record<
    string,
    Hex
  >,
).map((code) => Uint8Array.from(Buffer.from(code.slice(2), 'hex')))
const seen = { particles: 0, reverted: 0, refused: 0, none: 0, outOfGas: 0 }
const refusedOpcodes = new Set<string>()

let chain: TestChain
let block: BlockFields

beforeAll(async () => {
  chain = await testChain()
  await chain.rpc('anvil_mine', ['0x5'])
  const access = await connectChain({
    chainRpcUrl: chain.url,
    chainId: chain.chainId,
    registryAddress: chain.registry,
    runnerAddress: chain.runner,
  })
  block = await readNewestBlock(access!)
})
afterAll(() => chain?.close())

test(`engines, the Runner in a local EVM and the chain agree on ${CODES} runs of changed and random code (seed ${SEED})`, async () => {
  let compared = 0
  const property = fc.asyncProperty(codeRuns(codes(compiled)), async (run) => {
    if (compared < CODES && (await compare(run))) compared++
  })
  await fc.assert(property, { seed: SEED, numRuns: CODES * 3, endOnFailure: true })
  report()
  expect(compared, 'too many runs were too large to compare').toBe(CODES)
  expect(seen.particles).toBeGreaterThan(CODES / 10)
  expect(seen.reverted).toBeGreaterThan(CODES / 20)
})

test(`the same for ${BODIES} runs of bodies that look around (seed ${SEED})`, async () => {
  let compared = 0
  for (let i = 0; i < LOOKING_BODIES.length && compared < BODIES; i++) {
    const outcome = compileBody(
      'transformation',
      LOOKING_BODIES[(i * STRIDE + SEED) % LOOKING_BODIES.length]!,
    )
    // Code that writes or calls is no view function: creation rejects it with a reason.
    if (outcome.status !== 'compiled') continue
    const code = Uint8Array.from(Buffer.from(outcome.runtime.slice(2), 'hex'))
    const property = fc.asyncProperty(codeRuns(fc.constant(code)), async (run) => {
      if (compared < BODIES && (await compare(run))) compared++
    })
    await fc.assert(property, { seed: SEED + i, numRuns: RUNS_OF_A_BODY })
  }
  report()
  expect(compared, 'too few runs can be compared').toBe(BODIES)
})

/** @returns false where a limit ended the run, or it reads what a simulation cannot know: there is no answer to compare. */
async function compare(run: CodeRun): Promise<boolean> {
  const request = { ...requestOf(run), block }
  const server = await answerOfEngine(engines.server, request)
  note(server)
  if (server === 'none') return false
  // The Runner in one call does not look at what each call of code would do with less gas.
  if ('refused' in server && server.refused.endsWith('the code ignores')) return false
  const where = JSON.stringify(run)
  const reference = await answerOfRunner(request)
  if (reference !== 'none') expect(reference, where).toEqual(server)
  // What no exact engine has checked may be left to the server, but its result has to be correct.
  const unchecked = [
    await answerOfEngine(engines.browser, request),
    await answerOfEngine(engines.translated, request),
  ]
  for (const answer of unchecked) if (answer !== 'none') expect(answer, where).toEqual(server)
  if ('refused' in server) return false
  const expected = await answerOfChain(request, CHAIN_GAS)
  // Code that runs out of gas reverts with nothing or is an error of the node; the engine may skip billions of steps.
  const outOfGas = expected === 'none' || isEmptyRevert(expected)
  if (reference === 'none' && outOfGas && !isEmptyRevert(server)) {
    seen.outOfGas++
    return false
  }
  expect(expected, where).toEqual(server)
  return true
}

function isEmptyRevert(answer: Answer): boolean {
  return answer !== 'none' && 'revertData' in answer && answer.revertData === '0x'
}

function note(answer: Answer): void {
  if (answer === 'none') seen.none++
  else if ('particles' in answer) seen.particles++
  else if ('revertData' in answer) seen.reverted++
  else {
    seen.refused++
    const [opcode] = answer.refused.split(' ')
    expect(OPCODES.some((known) => known?.name === opcode)).toBe(true)
    refusedOpcodes.add(answer.refused.split(' 0x')[0]!)
  }
}

function report(): void {
  console.info({ ...seen, refusedOpcodes: [...refusedOpcodes].sort().join(', ') })
  for (const [name, engine] of Object.entries(engines)) {
    const counts = engine.takeCounts()
    console.info(name, JSON.stringify(counts))
    expect(counts).toMatchObject({ specialisedWrong: 0, translatedWrong: 0 })
  }
}

async function answerOfEngine(engine: Engine, request: RunRequest): Promise<Answer> {
  const outcome = await engine.run(request, LIMITS)
  switch (outcome.status) {
    case 'returned':
      return { particles: outcome.particles.map((one) => [one.path, one.data.join()]) }
    case 'reverted':
      return { revertData: outcome.revertData }
    case 'refused':
      return { refused: outcome.reads }
    default:
      return 'none'
  }
}

async function answerOfRunner(request: RunRequest): Promise<Answer> {
  try {
    const outcome = await runOnReferenceEngine(request, GAS)
    if (outcome.status === 'exhausted') return 'none'
    if (outcome.status === 'reverted') return { revertData: outcome.revertData }
    return { particles: decodeParticles(outcome.output).map((one) => [one.path, one.data.join()]) }
  } catch (error) {
    if (error instanceof Unanswerable) return { refused: error.reads }
    throw error
  }
}

/** The Runner on chain, over code that stands where a simulation has it. */
async function answerOfChain(request: RunRequest, gas: bigint): Promise<Answer> {
  const code = Object.fromEntries(
    request.artifacts.map((artifact) => [
      simulatedAddress(artifact.contentHash),
      { code: simulatedCode(artifact) },
    ]),
  )
  const data = encodeFunctionData({
    abi: runnerAbi,
    functionName: 'generateAt',
    args: [simulatedAddress(request.root), request.particlesCount, request.dynamicRi],
  })
  const call = { to: chain.runner, data, gas: toHex(gas) }
  try {
    const output = await viaProvider('run', () =>
      chain.publicClient.request({ method: 'eth_call', params: [call, 'latest', code] }),
    )
    return {
      particles: decodeParticles(Buffer.from(output.slice(2), 'hex')).map((one) => [
        one.path,
        one.data.join(),
      ]),
    }
  } catch (error) {
    const outcome = error instanceof NodeRefusal ? outcomeOf(error) : undefined
    if (outcome === undefined) throw error
    return outcome.cause === 'revert' ? { revertData: outcome.revertData } : 'none'
  }
}
