import { type Budget, type CallOutcome, Declined, Failed } from '../types.ts'
import { exceeded, keccak256, loadWord, storeWord, type Word } from '../words.ts'

// No block pays for more memory.
const MEMORY_LIMIT = 2 ** 25
const FIRST_CAPACITY = 2 ** 12
/** Bytes that are as much work to copy as one step. */
const BYTES_A_STEP = 64
const HASH_STEPS = 16
const HASHED_BYTES_A_STEP = 16

/** Memory and calldata of a call of translated code; reused by the next call. */
export class Frame {
  private readonly code: Uint8Array
  private readonly destinations: ReadonlySet<number>
  private bytes: Uint8Array = new Uint8Array(FIRST_CAPACITY)
  private view = new DataView(this.bytes.buffer)
  private size = 0
  private data: Uint8Array = new Uint8Array()
  private dataView = new DataView(new ArrayBuffer(32))
  private budget: Budget = { steps: 0 }

  /** @param destinations Places of the code's JUMPDESTs. */
  constructor(code: Uint8Array, destinations: ReadonlySet<number>) {
    this.code = code
    this.destinations = destinations
  }

  begin(calldata: Uint8Array, budget: Budget): void {
    if (this.bytes.length > FIRST_CAPACITY * 256) {
      this.bytes = new Uint8Array(FIRST_CAPACITY)
      this.view = new DataView(this.bytes.buffer)
    } else {
      this.bytes.fill(0, 0, this.size)
    }
    this.size = 0
    this.budget = budget
    this.data = calldata
    // Words that begin inside calldata may end behind it, in zeros.
    const padded = new Uint8Array(calldata.length + 32)
    padded.set(calldata)
    this.dataView = new DataView(padded.buffer)
    this.take(1)
  }

  take(steps: number): void {
    this.budget.steps -= steps
    if (this.budget.steps < 0) exceeded(this.budget)
  }

  /** Powers are paid by the length of their exponent. */
  exponent(exponent: Word): void {
    this.take(exponent.toString(2).length)
  }

  /** Where a computed jump goes: -1 where it fails. */
  place(target: Word): number {
    return typeof target === 'number' && this.destinations.has(target) ? target : -1
  }

  calldatasize(): number {
    return this.data.length
  }

  calldataload(offset: Word): Word {
    if (typeof offset !== 'number' || offset >= this.data.length) return 0
    return loadWord(this.dataView, offset)
  }

  msize(): number {
    return this.size
  }

  // Reaching may put another view in place, so it comes first.
  mload(offset: Word): Word {
    const at = typeof offset !== 'number' || offset + 32 > this.size ? this.reach(offset, 32) : offset
    return loadWord(this.view, at)
  }

  mstore(offset: Word, value: Word): void {
    const at = typeof offset !== 'number' || offset + 32 > this.size ? this.reach(offset, 32) : offset
    storeWord(this.view, at, value)
  }

  mstore8(offset: Word, value: Word): void {
    const at = this.reach(offset, 1)
    this.bytes[at] = typeof value === 'number' ? value & 0xff : Number(value & 0xffn)
  }

  mcopy(to: Word, from: Word, length: Word): void {
    if (length === 0) return
    const size = this.sizeOf(length)
    // Both ends count for the size of memory, and reaching for one may move the other.
    const source = this.reach(from, size)
    const target = this.reach(to, size)
    this.bytes.copyWithin(target, source, source + size)
  }

  calldatacopy(to: Word, from: Word, length: Word): void {
    this.copy(this.data, to, from, length)
  }

  codecopy(to: Word, from: Word, length: Word): void {
    this.copy(this.code, to, from, length)
  }

  /** Nothing was ever returned to this code: reading past the end fails. */
  returndatacopy(_to: Word, from: Word, length: Word): void {
    if (from !== 0 || length !== 0) this.fail()
  }

  keccak256(offset: Word, length: Word): Word {
    const bytes = this.slice(offset, length)
    this.take(HASH_STEPS + Math.floor(bytes.length / HASHED_BYTES_A_STEP))
    return keccak256(bytes)
  }

  returned(offset: Word, length: Word): CallOutcome {
    return { status: 'returned', output: this.slice(offset, length).slice() }
  }

  reverted(offset: Word, length: Word): CallOutcome {
    return { status: 'reverted', data: this.slice(offset, length).slice() }
  }

  decline(why: string): never {
    throw new Declined(why)
  }

  fail(): never {
    throw new Failed('failure')
  }

  private slice(offset: Word, length: Word): Uint8Array {
    if (length === 0) return new Uint8Array()
    const size = this.sizeOf(length)
    const at = this.reach(offset, size)
    return this.bytes.subarray(at, at + size)
  }

  private copy(source: Uint8Array, to: Word, from: Word, length: Word): void {
    if (length === 0) return
    const size = this.sizeOf(length)
    const at = this.reach(to, size)
    const start = Math.min(Number(from), source.length)
    const copied = source.subarray(start, start + size)
    this.bytes.set(copied, at)
    this.bytes.fill(0, at + copied.length, at + size)
  }

  /** A length as a number, paid for. */
  private sizeOf(length: Word): number {
    if (typeof length !== 'number' || length > MEMORY_LIMIT) return this.fail()
    this.take(Math.floor(length / BYTES_A_STEP))
    return length
  }

  /** Grows memory to hold `length` bytes from `offset` on. */
  private reach(offset: Word, length: number): number {
    if (typeof offset !== 'number' || offset + length > MEMORY_LIMIT) return this.fail()
    const end = Math.ceil((offset + length) / 32) * 32
    if (end > this.size) {
      this.take(Math.floor((end - this.size) / BYTES_A_STEP))
      this.size = end
    }
    if (end > this.bytes.length) {
      const grown = new Uint8Array(Math.max(end, this.bytes.length * 2))
      grown.set(this.bytes)
      this.bytes = grown
      this.view = new DataView(grown.buffer)
    }
    return offset
  }
}
