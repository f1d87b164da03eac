import { encodeFunctionData, parseAbi } from 'viem/utils'
import { decodeRejection, type Rejection } from '../../protocol/rejection.ts'
import type { TryRequest, TryResult } from './explainer.ts'
import { createMachine, simulatedAddress } from './machine.ts'

const ENTITY = parseAbi([
  'function run(uint32 x, uint32[] args) view returns (uint32)',
  'function check(int32[] args) view returns (bool)',
])

/** Assembly can return anything. */
const NOT_AN_ANSWER: Rejection = {
  name: 'InvalidEntity',
  message: 'The body answered with something that is not a value: does it return from assembly?',
  revertData: '0x',
}

/** Runs one body alone; a transformation `steps` times, each on the result before. */
export async function tryBody(
  { artifact, x, args, steps, block }: Omit<TryRequest, 'signal'>,
  gasLimit: bigint,
): Promise<TryResult | { readonly exhausted: bigint }> {
  const machine = await createMachine([artifact], gasLimit, block)
  const at = simulatedAddress(artifact.contentHash)
  const call = (value: number) =>
    artifact.kind === 'transformation'
      ? encodeFunctionData({ abi: ENTITY, functionName: 'run', args: [value, args] })
      : encodeFunctionData({ abi: ENTITY, functionName: 'check', args: [args] })

  const values: number[] = []
  let value = x
  const rounds = artifact.kind === 'condition' ? 1 : steps
  for (let round = 0; round < rounds; round++) {
    const outcome = await machine.call(at, call(value))
    if (outcome.status === 'exhausted') return { exhausted: outcome.gasLimit }
    if (outcome.status === 'reverted') {
      return { values, rejection: decodeRejection(outcome.revertData) }
    }
    const answer = readWord(outcome.output, artifact.kind === 'condition' ? 1 : 4_294_967_295)
    if (answer === undefined) return { values, rejection: NOT_AN_ANSWER }
    value = answer
    values.push(value)
  }
  return { values, rejection: undefined }
}

/** The first 32 bytes as a number of at most `max`. */
function readWord(output: Uint8Array, max: number): number | undefined {
  if (output.length < 32 || output.subarray(0, 28).some((byte) => byte !== 0)) return undefined
  const value = new DataView(output.buffer, output.byteOffset).getUint32(28)
  return value <= max ? value : undefined
}
