import { encodeFunctionData, hexToBytes, keccak256, numberToHex } from 'viem/utils'
import type { Provenance } from '#lib/core/entities/execution/run-on-chain.ts'
import type { Hash, Hex } from '#lib/protocol/entity.ts'
import { decodeParticles, MalformedParticles, type ParticleStream } from '#lib/protocol/particles.ts'
import { decodeRejection } from '#lib/protocol/rejection.ts'
import type { RunRequest } from '#lib/ui/run/requests.ts'
import type { Run } from '#lib/views/run.ts'
import { type AskNode, NodeRefused } from '../checker/node.ts'

/** The one function of the runner's ABI that is called. */
const GENERATE = [
  {
    type: 'function',
    name: 'generate',
    stateMutability: 'view',
    inputs: [
      { name: 'name', type: 'string' },
      { name: 'particlesCount', type: 'uint32' },
      {
        name: 'dynamicRi',
        type: 'tuple[]',
        components: [
          { name: 'position', type: 'uint32' },
          { name: 'startPoint', type: 'uint32' },
          { name: 'transformationShift', type: 'uint32' },
        ],
      },
    ],
    outputs: [],
  },
] as const

/** The complete shown result. */
export type Expected =
  | Extract<Run, { state: 'particles' }>
  | Pick<Extract<Run, { state: 'rejected' }>, 'state' | 'message'>

export type Verdict =
  /** @property bytes Length of the answer. @property digest Its keccak256. */
  | { readonly verdict: 'same'; readonly bytes: number; readonly digest: Hash }
  | { readonly verdict: 'same_rejection'; readonly message: string }
  | { readonly verdict: 'different'; readonly sentence: string }
  /** Unknown. */
  | { readonly verdict: 'cannot'; readonly sentence: string }

/**
 * Repeats the call of a run at the same block and runner, and compares the result with the shown one.
 *
 * @param ask Sends a JSON-RPC request to the node.
 * @throws NodeSilent
 */
export async function verifyRun(
  ask: AskNode,
  run: RunRequest,
  provenance: Provenance,
  expected: Expected,
): Promise<Verdict> {
  const { chainId, blockNumber, blockHash, runner } = provenance
  const cannot = (sentence: string): Verdict => ({ verdict: 'cannot', sentence })
  const there = Number(await ask('eth_chainId', []))
  if (there !== chainId) {
    return cannot(`The node is on chain ${there}; this run is from chain ${chainId}.`)
  }
  const data = encodeFunctionData({
    abi: GENERATE,
    args: [run.connector, run.count, run.dynamicRi],
  })
  const callAt = (block: unknown) => ask('eth_call', [{ to: runner, data }, block])
  let answer: unknown
  try {
    answer = await callAt({ blockHash })
  } catch (error) {
    if (!(error instanceof NodeRefused)) throw error
    if (reverted(error)) return judgeRejection(error, expected)
    // Some nodes accept no hashes: whether the block exists is more specific than the error.
    const block = (await ask('eth_getBlockByNumber', [numberToHex(blockNumber), false]).catch(
      () => null,
    )) as { hash?: unknown } | null
    if (block === null || typeof block.hash !== 'string') {
      return cannot(
        `The node has no block ${blockNumber}. It may be behind, or the chain may have been reorganised since.`,
      )
    }
    if (block.hash.toLowerCase() !== blockHash.toLowerCase()) {
      return cannot(
        `The node has another block ${blockNumber}: the chain was reorganised, and the block of this run is not part of it any more.`,
      )
    }
    try {
      answer = await callAt(numberToHex(blockNumber))
    } catch (again) {
      if (!(again instanceof NodeRefused)) throw again
      if (reverted(again)) return judgeRejection(again, expected)
      return cannot(
        `The node has the block but does not run this call at it (“${again.message.slice(0, 200)}”). Nodes that are no archive forget old state, and many bound the work of a call: fewer particles may pass.`,
      )
    }
  }
  if (typeof answer !== 'string' || !/^0x([0-9a-fA-F]{2})*$/.test(answer)) {
    return cannot('The node answered with something that is no result of a call.')
  }
  if (answer === '0x') return cannot(`The node has no runner contract at ${runner}.`)
  return judgeBytes(answer as Hex, expected)
}

function reverted({ data, message }: NodeRefused): boolean {
  return (data !== undefined && data !== '0x') || /revert/i.test(message)
}

function judgeRejection({ data = '0x' }: NodeRefused, expected: Expected): Verdict {
  const { message } = decodeRejection(data)
  if (expected.state === 'particles') {
    return { verdict: 'different', sentence: `There the runner rejects the run: ${message}.` }
  }
  return expected.message === message
    ? { verdict: 'same_rejection', message }
    : {
        verdict: 'different',
        sentence: `There the runner gives another reason: ${message}, instead of ${expected.message}.`,
      }
}

function judgeBytes(answer: Hex, expected: Expected): Verdict {
  const bytes = hexToBytes(answer)
  let streams: readonly ParticleStream[]
  try {
    streams = decodeParticles(bytes)
  } catch (error) {
    if (!(error instanceof MalformedParticles)) throw error
    return { verdict: 'different', sentence: `What the runner gives there is malformed: ${error.message}.` }
  }
  if (expected.state === 'rejected') {
    return { verdict: 'different', sentence: 'There the run is not rejected: it gives numbers.' }
  }
  const sentence = differenceOf(expected.streams, streams)
  return sentence === undefined
    ? { verdict: 'same', bytes: bytes.length, digest: keccak256(bytes) }
    : { verdict: 'different', sentence }
}

function differenceOf(
  shownStreams: readonly { readonly path: string; readonly data: readonly number[] }[],
  streams: readonly ParticleStream[],
): string | undefined {
  if (shownStreams.length !== streams.length) {
    return `There the run has ${streams.length} voices; ${shownStreams.length} are shown here.`
  }
  for (const [index, { path, data }] of shownStreams.entries()) {
    const there = streams[index]!
    if (there.path !== path) return `Voice ${index + 1} is ${there.path} there, and ${path} here.`
    if (there.data.length !== data.length) {
      return `${path} has ${there.data.length} values there, and ${data.length} here.`
    }
    for (let step = 0; step < data.length; step++) {
      if (there.data[step] !== data[step]) {
        return `${path} at step ${step} is ${there.data[step]} there, and ${data[step]} here.`
      }
    }
  }
  return undefined
}
