import { sha256 } from '@noble/hashes/sha2.js'
import { keccak256 } from 'viem/utils'
import { compute, isArithmetic } from '#lib/engine/arithmetic.ts'
import { word } from '#lib/engine/words.ts'
import { BLOCK_FIELDS, type BlockFields } from '#lib/protocol/code-traits.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { OPCODES } from '#lib/protocol/opcodes.ts'

/** What a call returns; a halt without data is a revert with none. */
export interface SmallOutcome {
  readonly ok: boolean
  readonly output: Uint8Array
}

/** The call depends on what is not known here, or takes more steps than are allowed. */
export class NotComputable extends Error {
  override readonly name = 'NotComputable'
}

export interface SmallCall {
  /** Code by lower-case address. */
  readonly codes: ReadonlyMap<Address, Uint8Array>
  readonly to: Address
  readonly data: Uint8Array
  /** The contract that may read and call the others: the Runner. */
  readonly caller: Address
  readonly block: BlockFields | undefined
  /** Instructions of all calls together. */
  readonly steps: number
}

const MAX_MEMORY = 16 * 1024 * 1024
const MAX_STACK = 1024
const HALT: SmallOutcome = { ok: false, output: new Uint8Array() }
const SHA256 = 2n
const IDENTITY = 4n

/**
 * Runs one static call in an interpreter that reads like `docs/certificate.md`: every opcode of a published body, without
 * gas. Slow; the engine computes nearly every run.
 *
 * @throws NotComputable
 */
export function smallCall(request: SmallCall): SmallOutcome {
  const budget = { steps: request.steps }
  return runCode(request, budget, request.to, request.data, 0)
}

function runCode(
  request: SmallCall,
  budget: { steps: number },
  self: Address,
  data: Uint8Array,
  depth: number,
): SmallOutcome {
  const code = request.codes.get(self) ?? new Uint8Array()
  const frame = new Frame(code, data)
  const privileged = self === request.caller
  const { stack } = frame
  for (;;) {
    if (--budget.steps < 0) throw new NotComputable('it takes more steps than this check makes')
    const opcode = code[frame.pc++] ?? 0
    const definition = OPCODES[opcode]
    if (definition === undefined) return HALT
    const { name, takes, gives } = definition
    if (stack.length < takes || stack.length - takes + gives > MAX_STACK) return HALT
    if (opcode >= 0x5f && opcode <= 0x7f) {
      stack.push(wordAt(code, frame.pc, opcode - 0x5f))
      frame.pc += opcode - 0x5f
      continue
    }
    if (opcode >= 0x80 && opcode <= 0x8f) {
      stack.push(stack[stack.length - (opcode - 0x7f)] as bigint)
      continue
    }
    if (opcode >= 0x90 && opcode <= 0x9f) {
      const [top, other] = [stack.length - 1, stack.length - 1 - (opcode - 0x8f)]
      const moved = stack[top] as bigint
      stack[top] = stack[other] as bigint
      stack[other] = moved
      continue
    }
    if (isArithmetic(name)) {
      const operands = Array.from({ length: takes }, () => word(frame.pop()))
      stack.push(BigInt(compute(name, operands)))
      continue
    }
    switch (name) {
      case 'STOP':
        return { ok: true, output: new Uint8Array() }
      case 'RETURN':
      case 'REVERT': {
        const [at, size] = [frame.pop(), frame.pop()]
        return { ok: name === 'RETURN', output: frame.read(at, size).slice() }
      }
      case 'JUMP':
      case 'JUMPI': {
        const to = frame.pop()
        if (name === 'JUMPI' && frame.pop() === 0n) break
        if (!frame.isDestination(to)) return HALT
        frame.pc = Number(to) + 1
        break
      }
      case 'STATICCALL': {
        const [, target, at, size, outAt, outSize] = [
          ...[frame.pop(), frame.pop(), frame.pop()],
          ...[frame.pop(), frame.pop(), frame.pop()],
        ] as [bigint, bigint, bigint, bigint, bigint, bigint]
        const input = frame.read(at, size).slice()
        frame.read(outAt, outSize)
        const to = BigInt.asUintN(160, target)
        let outcome: SmallOutcome
        if (to === IDENTITY) outcome = { ok: true, output: input }
        else if (to === SHA256) outcome = { ok: true, output: sha256(input) }
        else if (!privileged) throw new NotComputable('it calls another contract')
        else {
          if (depth > 8) throw new NotComputable('its calls nest too deep')
          outcome = runCode(request, budget, addressOf(to), input, depth + 1)
        }
        frame.returned = outcome.output
        frame.write(outAt, outcome.output.subarray(0, Number(outSize)))
        stack.push(outcome.ok ? 1n : 0n)
        break
      }
      case 'EXTCODESIZE':
      case 'EXTCODECOPY': {
        if (!privileged) throw new NotComputable(`it uses ${name}`)
        const found = request.codes.get(addressOf(BigInt.asUintN(160, frame.pop()))) ?? new Uint8Array()
        if (name === 'EXTCODESIZE') stack.push(BigInt(found.length))
        else frame.copy(found)
        break
      }
      case 'SLOAD': {
        frame.pop()
        // Nothing can have written it: code that could is refused before.
        stack.push(0n)
        break
      }
      case 'GAS':
        stack.push(1n << 40n)
        break
      default:
        if (!simple(frame, name, request.block)) return HALT
    }
  }
}

/** Everything that neither computes words alone nor ends or calls; false halts the call. */
function simple(frame: Frame, name: string, block: BlockFields | undefined): boolean {
  const { stack } = frame
  switch (name) {
    case 'KECCAK256': {
      const [at, size] = [frame.pop(), frame.pop()]
      stack.push(BigInt(keccak256(frame.read(at, size))))
      return true
    }
    case 'CLZ': {
      const of = frame.pop()
      stack.push(of === 0n ? 256n : BigInt(256 - of.toString(2).length))
      return true
    }
    case 'CALLVALUE':
      stack.push(0n)
      return true
    case 'TLOAD':
      stack[stack.length - 1] = 0n
      return true
    case 'CALLDATALOAD': {
      const at = frame.pop()
      stack.push(at >= BigInt(frame.data.length) ? 0n : wordAt(frame.data, Number(at), 32))
      return true
    }
    case 'CALLDATASIZE':
      stack.push(BigInt(frame.data.length))
      return true
    case 'CALLDATACOPY':
      frame.copy(frame.data)
      return true
    case 'CODESIZE':
      stack.push(BigInt(frame.code.length))
      return true
    case 'CODECOPY':
      frame.copy(frame.code)
      return true
    case 'RETURNDATASIZE':
      stack.push(BigInt(frame.returned.length))
      return true
    case 'RETURNDATACOPY': {
      const [from, size] = [stack.at(-2) as bigint, stack.at(-3) as bigint]
      if (from + size > BigInt(frame.returned.length)) return false
      frame.copy(frame.returned)
      return true
    }
    case 'POP':
      stack.pop()
      return true
    case 'MLOAD':
      stack.push(wordAt(frame.read(frame.pop(), 32n), 0, 32))
      return true
    case 'MSTORE': {
      const [at, value] = [frame.pop(), frame.pop()]
      frame.write(at, bytesOf(value))
      return true
    }
    case 'MSTORE8': {
      const [at, value] = [frame.pop(), frame.pop()]
      frame.write(at, Uint8Array.of(Number(value & 0xffn)))
      return true
    }
    case 'MCOPY': {
      const [to, from, size] = [frame.pop(), frame.pop(), frame.pop()]
      const bytes = frame.read(from, size).slice()
      frame.write(to, bytes)
      return true
    }
    case 'PC':
      stack.push(BigInt(frame.pc - 1))
      return true
    case 'MSIZE':
      stack.push(BigInt(frame.size))
      return true
    case 'JUMPDEST':
      return true
    // A static call may not do these.
    case 'SSTORE':
    case 'TSTORE':
    case 'INVALID':
    case 'CREATE':
    case 'CREATE2':
    case 'SELFDESTRUCT':
    case 'LOG0':
    case 'LOG1':
    case 'LOG2':
    case 'LOG3':
    case 'LOG4':
      return false
    case 'BLOCKHASH': {
      const wanted = frame.pop()
      const number = fieldOf(block, name, (fields) => fields.number)
      const age = number - wanted
      if (age > 1n && age <= 256n) throw new NotComputable('it reads the hash of an older block')
      stack.push(age === 1n ? fieldOf(block, name, ({ parentHash }) => BigInt(parentHash)) : 0n)
      return true
    }
    default: {
      const field = BLOCK_FIELDS.get(name)
      if (field === undefined) throw new NotComputable(`it uses ${name}`)
      stack.push(fieldOf(block, name, field))
      return true
    }
  }
}

type Field = (fields: BlockFields) => bigint | undefined

function fieldOf(block: BlockFields | undefined, name: string, field: Field): bigint {
  const value = block && field(block)
  if (value === undefined) throw new NotComputable(`it reads ${name} of the block`)
  return value
}

class Frame {
  readonly stack: bigint[] = []
  readonly code: Uint8Array
  readonly data: Uint8Array
  pc = 0
  returned: Uint8Array = new Uint8Array()
  /** Bytes of memory in use, whole words. */
  size = 0
  #memory = new Uint8Array(1024)
  #destinations: Set<number> | undefined

  constructor(code: Uint8Array, data: Uint8Array) {
    this.code = code
    this.data = data
  }

  pop(): bigint {
    return this.stack.pop() as bigint
  }

  /** A view of memory, which grows to hold it. */
  read(at: bigint, size: bigint): Uint8Array {
    if (size === 0n) return new Uint8Array()
    if (at + size > MAX_MEMORY) throw new NotComputable('it needs more memory than any block pays for')
    const end = Math.ceil(Number(at + size) / 32) * 32
    if (end > this.size) this.size = end
    if (end > this.#memory.length) {
      const larger = new Uint8Array(Math.max(end, this.#memory.length * 2))
      larger.set(this.#memory)
      this.#memory = larger
    }
    return this.#memory.subarray(Number(at), Number(at + size))
  }

  write(at: bigint, bytes: Uint8Array): void {
    this.read(at, BigInt(bytes.length)).set(bytes)
  }

  /** Pops to, from and size; what lies beyond the end of `source` is zero. */
  copy(source: Uint8Array): void {
    const [to, from, size] = [this.pop(), this.pop(), this.pop()]
    const target = this.read(to, size)
    target.fill(0)
    if (from < BigInt(source.length)) {
      target.set(source.subarray(Number(from), Math.min(source.length, Number(from + size))))
    }
  }

  isDestination(to: bigint): boolean {
    if (this.#destinations === undefined) {
      this.#destinations = new Set()
      for (let pc = 0; pc < this.code.length; pc++) {
        const opcode = this.code[pc] as number
        if (opcode === 0x5b) this.#destinations.add(pc)
        if (opcode >= 0x60 && opcode <= 0x7f) pc += opcode - 0x5f
      }
    }
    return to < BigInt(this.code.length) && this.#destinations.has(Number(to))
  }
}

function wordAt(bytes: Uint8Array, at: number, size: number): bigint {
  let text = ''
  for (let i = at; i < at + size; i++) text += (bytes[i] ?? 0).toString(16).padStart(2, '0')
  return text === '' ? 0n : BigInt(`0x${text}`)
}

function bytesOf(value: bigint): Uint8Array {
  const bytes = new Uint8Array(32)
  for (let i = 31, rest = value; rest > 0n; i--, rest >>= 8n) bytes[i] = Number(rest & 0xffn)
  return bytes
}

function addressOf(value: bigint): Address {
  return `0x${value.toString(16).padStart(40, '0')}`
}
