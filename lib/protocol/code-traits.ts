import { hexToBytes } from 'viem/utils'
import type { Artifact, CodeArtifact } from './artifact.ts'
import type { Address, Hash, Hex } from './entity.ts'
import { disassemble, type Instruction } from './opcodes.ts'

/** Facts of the block that code can read. */
export interface BlockFields {
  readonly chainId: bigint
  readonly number: bigint
  /** Seconds since 1970. */
  readonly timestamp: bigint
  readonly coinbase: Address
  readonly prevRandao: bigint
  readonly gasLimit: bigint
  readonly baseFee: bigint
  /** Undefined where the node does not report it. */
  readonly blobBaseFee: bigint | undefined
  readonly parentHash: Hash
}

/**
 * What a result of code depends on beside its input; the later one includes the earlier ones. `input` is the one rule for
 * "re-checkable for ever": badges, certificates and their checkers take it from here, and every checker computes such code.
 */
export type Dependence = 'input' | 'block' | 'surroundings'

export interface CodeTraits {
  readonly dependsOn: Dependence
  /** Opcodes that read more than the input, in the order of their first use. */
  readonly reads: readonly string[]
  /** It may call other contracts, precompiled ones too. */
  readonly calls: boolean
}

/** By opcode: what it reads of the block that it runs in. BLOCKHASH is apart, because it takes a number. */
export const BLOCK_FIELDS: ReadonlyMap<string, (fields: BlockFields) => bigint | undefined> = new Map<
  string,
  (fields: BlockFields) => bigint | undefined
>([
  ['COINBASE', ({ coinbase }) => BigInt(coinbase)],
  ['TIMESTAMP', ({ timestamp }) => timestamp],
  ['NUMBER', ({ number }) => number],
  ['PREVRANDAO', ({ prevRandao }) => prevRandao],
  ['GASLIMIT', ({ gasLimit }) => gasLimit],
  ['CHAINID', ({ chainId }) => chainId],
  ['BASEFEE', ({ baseFee }) => baseFee],
  ['BLOBBASEFEE', ({ blobBaseFee }) => blobBaseFee],
])

/** Opcodes that read what no simulation knows, and what that is. */
export const UNKNOWABLE: ReadonlyMap<string, string> = new Map([
  ['ADDRESS', 'its own address'],
  ['BALANCE', 'the balance of an account'],
  ['ORIGIN', 'the account that sends the transaction'],
  ['CALLER', 'the contract that calls it'],
  ['GASPRICE', 'the gas price of the transaction'],
  ['EXTCODESIZE', 'the code of an account'],
  ['EXTCODECOPY', 'the code of an account'],
  ['EXTCODEHASH', 'the code of an account'],
  ['SELFBALANCE', 'its own balance'],
  ['BLOBHASH', 'the blobs of the transaction'],
  ['SLOAD', 'its own storage, which others can make it write'],
  ['GAS', 'the gas that is left'],
  ['CALL', 'other contracts'],
  ['CALLCODE', 'other contracts'],
  ['DELEGATECALL', 'other contracts'],
  ['STATICCALL', 'other contracts'],
])

const READS: ReadonlySet<string> = new Set([...BLOCK_FIELDS.keys(), 'BLOCKHASH', ...UNKNOWABLE.keys()])
const CALLS: ReadonlySet<string> = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])
const ENDS: ReadonlySet<string> = new Set(['STOP', 'JUMP', 'RETURN', 'REVERT', 'INVALID', 'SELFDESTRUCT'])

export function isCall(name: string): boolean {
  return CALLS.has(name)
}

/**
 * What the results of deployed code depend on, by the instructions in it. Nothing is run: an instruction counts unless
 * no jump can lead to it, so code may depend on less than reported, never on more.
 */
export function codeTraits(runtime: Hex): CodeTraits {
  const names = reachable(runtime).map(({ definition }) => definition!.name)
  const reads = [...new Set(names.filter((name) => READS.has(name)))]
  const unknowable = reads.some((name) => UNKNOWABLE.has(name))
  const dependsOn = unknowable ? 'surroundings' : reads.length > 0 ? 'block' : 'input'
  return { dependsOn, reads, calls: reads.some(isCall) }
}

const NO_TRAITS: CodeTraits = { dependsOn: 'input', reads: [], calls: false }
const ofCode = new WeakMap<CodeArtifact, CodeTraits>()
const ofAll = new WeakMap<readonly Artifact[], CodeTraits>()

/** Traits of a connector: the results depend on the most that any code among its artifacts does. */
export function traitsOf(artifacts: readonly Artifact[]): CodeTraits {
  const traits =
    ofAll.get(artifacts) ??
    artifacts
      .flatMap((artifact) => (artifact.kind === 'connector' ? [] : [traitsOfCode(artifact)]))
      .reduce(together, NO_TRAITS)
  ofAll.set(artifacts, traits)
  return traits
}

function traitsOfCode(artifact: CodeArtifact): CodeTraits {
  const traits = ofCode.get(artifact) ?? codeTraits(artifact.runtime)
  ofCode.set(artifact, traits)
  return traits
}

const ORDER: readonly Dependence[] = ['input', 'block', 'surroundings']

/** Traits of what depends on both. */
export function together(a: CodeTraits, b: CodeTraits): CodeTraits {
  return {
    dependsOn: ORDER[Math.max(ORDER.indexOf(a.dependsOn), ORDER.indexOf(b.dependsOn))]!,
    reads: [...new Set([...a.reads, ...b.reads])],
    calls: a.calls || b.calls,
  }
}

/** Instructions that may be run: what follows an end is not, up to the next place that a jump may lead to. */
function reachable(runtime: Hex): Instruction[] {
  let runs = true
  return disassemble(hexToBytes(runtime)).filter(({ definition }) => {
    if (definition?.name === 'JUMPDEST') runs = true
    const counts = runs && definition !== undefined
    if (definition === undefined || ENDS.has(definition.name)) runs = false
    return counts
  })
}
