import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { type EVM, EVMError } from '@ethereumjs/evm'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { Account, createAddressFromString, equalsBytes, hexToBytes } from '@ethereumjs/util'
import { createVM } from '@ethereumjs/vm'
import { BLOCK_FIELDS, type BlockFields, isCall, UNKNOWABLE } from '#lib/protocol/code-traits.ts'
import type { Address, Hex } from '#lib/protocol/entity.ts'
import { disassemble, OPCODES } from '#lib/protocol/opcodes.ts'

/** Caller of entities in a simulation. */
export const RUNNER_ADDRESS = `0x${'52'.repeat(20)}` as const
export const CALLER_ADDRESS = `0x${'57'.repeat(20)}` as const

/** Code reads what is only known on chain. */
export class Unanswerable extends Error {
  override readonly name = 'Unanswerable'
  /** The opcode, with details where it alone is ambiguous. */
  readonly reads: string

  constructor(reads: string) {
    super(`A simulation cannot answer ${reads}`)
    this.reads = reads
  }
}

export interface LocalCall {
  readonly to: Address
  readonly from: Address
  readonly calldata: Uint8Array
  readonly gas: bigint
  readonly block: BlockFields | undefined
  /** Called now and then; what it throws ends the call. */
  readonly check?: (() => void) | undefined
}

export type LocalOutcome = { readonly gasUsed: bigint } & (
  | { readonly status: 'returned'; readonly output: Uint8Array }
  | { readonly status: 'reverted'; readonly data: Uint8Array }
  | { readonly status: 'exhausted' }
)

/** An EVM with code at some addresses and nothing else. Every call is static and independent of others. */
export interface LocalEvm {
  put(address: Address, code: Hex): Promise<void>
  remove(address: Address): Promise<void>
  /** @throws Unanswerable, or what `check` throws, after which the EVM must not be used again. */
  call(call: LocalCall): Promise<LocalOutcome>
}

/** The parts of the interpreter that handlers of opcodes use. */
interface RunState {
  readonly code: Uint8Array
  readonly programCounter: number
  readonly env: { readonly block: { readonly fields?: BlockFields } }
  readonly stack: { pop(): bigint; push(word: bigint): void; peek(count: number): bigint[] }
  gasLeft: bigint
  /** Gas that the call of the instruction passes on. */
  messageGasLimit?: bigint | undefined
  readonly interpreter: { getAddress(): { toString(): string }; getReturnDataSize(): bigint }
}

type Handler = (state: RunState, common: unknown) => unknown
type GasHandler = (state: RunState, gas: bigint, common: unknown) => Promise<bigint>
interface Opcode {
  readonly opHandler: Handler
  readonly gasHandler?: GasHandler
}

/**
 * An EVM of the rules that public chains have today (Osaka), in which code finds its input, its own bytes, the fields of
 * a block and the pure precompiled contracts. What depends on more is not answered: `docs/engine.md` has the table.
 */
export async function createLocalEvm(): Promise<LocalEvm> {
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Osaka })
  const state = new SimpleStateManager({ common })
  const { evm } = await createVM({ common, stateManager: state })
  const precompiles = new PrecompileCalls()
  const jumps = new CheckedJumps()
  replaceHandlers(evm as EVM, precompiles, jumps)

  const run = async ({ to, from, calldata, gas, block }: LocalCall): Promise<LocalOutcome> => {
    const { execResult } = await evm.runCall({
      to: createAddressFromString(to),
      caller: createAddressFromString(from),
      origin: createAddressFromString(CALLER_ADDRESS),
      data: calldata,
      gasLimit: gas,
      isStatic: true,
      block: { fields: block, header: {} } as never,
    })
    const { exceptionError: error, executionGasUsed: gasUsed, returnValue: data } = execResult
    if (error === undefined) return { status: 'returned', output: data, gasUsed }
    // A callee that runs out of gas leaves its caller a 64th: an empty revert with nearly all gas gone.
    const starved =
      error.error === EVMError.errorMessages.REVERT &&
      data.length === 0 &&
      gasUsed >= (gas * 63n) / 64n - 100_000n
    if (error.error === EVMError.errorMessages.OUT_OF_GAS || starved) return { status: 'exhausted', gasUsed }
    return { status: 'reverted', data, gasUsed }
  }

  return {
    put: async (address, code) => {
      const at = createAddressFromString(address)
      await state.putAccount(at, new Account())
      await state.putCode(at, hexToBytes(code))
    },
    remove: (address) => state.deleteAccount(createAddressFromString(address)),
    call: async (call) => {
      jumps.check = call.check
      const outcome = await precompiles.record(undefined, () => run(call))
      const calls = precompiles.calls
      let gasUsed = outcome.gasUsed
      // Of the Runner's call, which only tests make, each call of code is not looked at alone.
      if (outcome.status !== 'returned' || call.to === RUNNER_ADDRESS) return outcome
      for (const [index, { name, price }] of calls.entries()) {
        if (price < LEAST_PROBED_GAS) continue
        if (index >= MAX_PROBES) throw new Unanswerable(`${name} of more than ${MAX_PROBES} precompiles`)
        const starved = await precompiles.record(index, () => run(call))
        gasUsed += outcome.gasUsed
        if (starved.status === 'returned' && !equalsBytes(starved.output, outcome.output)) {
          throw new Unanswerable(`${name} of a precompile, whose failure for want of gas the code ignores`)
        }
      }
      return { ...outcome, gasUsed }
    },
  }
}

/** Replaces the handlers of opcodes that read more than the call: by the block's fields, or by `Unanswerable`. */
function replaceHandlers(evm: EVM, precompiles: PrecompileCalls, jumps: CheckedJumps): void {
  // The table belongs to this EVM alone.
  const opcodes = (evm as unknown as { readonly _opcodeMap: Opcode[] })._opcodeMap
  const byName = new Map(OPCODES.flatMap((opcode, byte) => (opcode ? [[opcode.name, byte] as const] : [])))
  const replace = (name: string, handlerFrom: (original: Handler) => Handler) => {
    const byte = byName.get(name)!
    opcodes[byte] = { ...opcodes[byte]!, opHandler: handlerFrom(opcodes[byte]!.opHandler) }
  }
  for (const [name, field] of BLOCK_FIELDS)
    replace(name, () => (runState) => runState.stack.push(fieldOf(runState, name, field)))
  replace('BLOCKHASH', () => blockHash)
  for (const name of ['JUMP', 'JUMPI']) replace(name, (original) => jumps.handler(original))
  const returnDataCopy = byName.get('RETURNDATACOPY')!
  opcodes[returnDataCopy] = { ...opcodes[returnDataCopy]!, gasHandler: gasOfCopy(opcodes[returnDataCopy]!) }
  for (const name of UNKNOWABLE.keys()) {
    replace(name, (original) => (runState, common) => {
      if (isRunner(runState)) return original(runState, common)
      if (isCall(name)) return precompiles.call(name, original, runState, common)
      const isHarmless = name === 'GAS' ? isForCall(runState) : name === 'SLOAD' && !canWrite(runState.code)
      if (!isHarmless) throw new Unanswerable(name)
      return original(runState, common)
    })
  }
}

/** Jumps after which the clock is checked: some milliseconds. */
const JUMPS_A_CHECK = 4_096

/** Calls `check` while code loops: no other code runs for long. */
class CheckedJumps {
  check: (() => void) | undefined
  #count = 0

  handler(original: Handler): Handler {
    return (runState, common) => {
      this.#count += 1
      if (this.#count % JUMPS_A_CHECK === 0) this.check?.()
      return original(runState, common)
    }
  }
}

/** Ends a copy from beyond the returned data as chains do, like an invalid opcode; the package calls it out of gas. */
function gasOfCopy({ gasHandler }: Opcode): GasHandler {
  return async (runState, gas, common) => {
    const [, from = 0n, length = 0n] = runState.stack.peek(3)
    if (from + length > runState.interpreter.getReturnDataSize())
      throw new EVMError(EVMError.errorMessages.INVALID_OPCODE)
    return gasHandler!(runState, gas, common)
  }
}

function fieldOf(
  { env }: RunState,
  name: string,
  field: (fields: BlockFields) => bigint | undefined = () => undefined,
): bigint {
  const value = env.block.fields && field(env.block.fields)
  if (value === undefined) throw new Unanswerable(name)
  return value
}

function blockHash(runState: RunState): void {
  const blockNumber = runState.stack.pop()
  const number = fieldOf(runState, 'BLOCKHASH', (fields) => fields.number)
  const age = number - blockNumber
  if (age > 1n && age <= 256n) throw new Unanswerable(`BLOCKHASH of a block before the last one`)
  runState.stack.push(
    age === 1n ? fieldOf(runState, 'BLOCKHASH', ({ parentHash }) => BigInt(parentHash)) : 0n,
  )
}

/** Precompiles that depend on their input alone: 0x01 to 0x09. */
const LAST_PURE_PRECOMPILE = 9
/** Precompiles whose gas depends on the input: a failure would reveal the gas that was left. */
const PRICED_BY_INPUT: ReadonlySet<bigint> = new Set([2n, 3n, 4n, 5n, 8n, 9n])

/** Most gas of one call of a precompile: beyond it nodes of usual limits differ, and the thread would stand still. */
const MAX_PRECOMPILE_GAS = 3_000_000n
/** From this price on, the 64th of the gas that a starved call leaves its caller suffices for a few instructions. */
const LEAST_PROBED_GAS = 500n
const MAX_PROBES = 64

interface PrecompileCall {
  /** Name of the opcode that makes the call. */
  readonly name: string
  /** Gas. */
  readonly price: bigint
}

/**
 * Calls of precompiles during one call of code. Code gets all numbers or an error from a node with less gas, but one that
 * ignores the failure of a starved precompile would get others: so the code runs once more for each such call, in which that
 * call finds too little gas.
 */
class PrecompileCalls {
  /** Those that succeeded, in order, with their gas. */
  calls: PrecompileCall[] = []
  #starved: number | undefined
  /** One call was starved, so that later ones have too little gas for certain. */
  #isStarving = false
  #unstarved: readonly PrecompileCall[] = []

  /** @param starved Index of the call that finds too little gas. */
  record<T>(starved: number | undefined, run: () => Promise<T>): Promise<T> {
    this.#starved = starved
    this.#isStarving = false
    this.calls = []
    if (starved === undefined) this.#unstarved = this.calls
    return run()
  }

  async call(name: string, original: Handler, runState: RunState, common: unknown): Promise<void> {
    const [, to = 0n] = runState.stack.peek(2)
    const target = BigInt.asUintN(160, to)
    if (target < 1n || target > LAST_PURE_PRECOMPILE) {
      throw new Unanswerable(`${name} of 0x${target.toString(16).padStart(40, '0')}`)
    }
    const before = runState.gasLeft
    const index = this.calls.length
    if (this.#starved === index) runState.messageGasLimit = 0n
    const passed = runState.messageGasLimit ?? 0n
    if (passed > MAX_PRECOMPILE_GAS) runState.messageGasLimit = MAX_PRECOMPILE_GAS
    await original(runState, common)
    const [success] = runState.stack.peek(1)
    if (this.#starved === index) {
      const gasCap = (this.#unstarved[index]?.price ?? 0n) / 63n + 1n
      if (runState.gasLeft > gasCap) runState.gasLeft = gasCap
      this.#starved = undefined
      this.#isStarving = true
    } else if (success === 1n) this.calls.push({ name, price: before - runState.gasLeft })
    else if (!this.#isStarving && PRICED_BY_INPUT.has(target)) {
      throw new Unanswerable(`${name} of a precompile that fails, perhaps for want of gas`)
    }
  }
}

function isRunner({ interpreter }: RunState): boolean {
  return interpreter.getAddress().toString() === RUNNER_ADDRESS
}

/** Whether the next instruction passes the gas on to a call. */
function isForCall({ code, programCounter }: RunState): boolean {
  const next = OPCODES[code[programCounter] ?? 0]?.name
  return next !== undefined && isCall(next)
}

const writing = new WeakMap<Uint8Array, boolean>()

/** Whether code could write its storage in a transaction. */
function canWrite(code: Uint8Array): boolean {
  const found =
    writing.get(code) ??
    disassemble(code).some(({ definition }) =>
      /^(SSTORE|CALLCODE|DELEGATECALL)$/.test(definition?.name ?? ''),
    )
  writing.set(code, found)
  return found
}
