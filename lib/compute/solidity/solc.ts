import bind from 'solc/wrapper.js'
import { instantiate, readProgram, type SolcProgram } from './program.ts'

/** The requested parts of solc's standard JSON output. */
export interface SolcOutput {
  readonly errors?: readonly SolcError[]
  readonly sources?: Readonly<Record<string, { readonly ast?: unknown }>>
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly evm?: { readonly deployedBytecode?: { readonly object: string } } }>>
    >
  >
}

export interface SolcError {
  readonly severity: string
  readonly type: string
  readonly message: string
  /** Absent for errors of the code generator. Bytes; `start` is -1 when unknown. */
  readonly sourceLocation?: { readonly start: number; readonly end: number }
}

/** The compiler itself broke down; it has been replaced. The input is to blame. */
export class SolcCrash extends Error {}

const MEMORY_LIMIT_BYTES = 512 * 2 ** 20

/** A compiler that has grown beyond this is replaced: its memory never shrinks. */
const MEMORY_KEEP_BYTES = 192 * 2 ** 20

const PAGE_BYTES = 65_536

let program: SolcProgram | undefined
let compile:
  | ((input: string, callbacks: { import: (path: string) => { error: string } }) => string)
  | undefined
let memoryBytes = 0

limitMemory()

/**
 * Loads the compiler, so that the first body does not wait for it.
 *
 * @param shared Of another thread; read from the package where there is none.
 * @returns the program, for other threads.
 */
export function loadSolc(shared?: SolcProgram): SolcProgram {
  program ??= shared ?? readProgram()
  // A fresh instance each time: one that aborted, or ran out of stack, is not to be trusted again.
  compile ??= bind(instantiate(program)).compile as typeof compile
  return program
}

/**
 * Runs one standard JSON input. Imports are refused whatever they name.
 *
 * @throws SolcCrash when the compiler exhausts its stack or memory, or fails an internal check fatally.
 */
export function runSolc(input: unknown): SolcOutput {
  loadSolc()
  try {
    const refuse = () => ({ error: 'imports are not allowed' })
    const output = JSON.parse(compile!(JSON.stringify(input), { import: refuse })) as SolcOutput
    if (memoryBytes > MEMORY_KEEP_BYTES) discard()
    return output
  } catch (error) {
    discard()
    throw new SolcCrash('The compiler broke down', { cause: error })
  }
}

function discard(): void {
  compile = undefined
  memoryBytes = 0
}

/** Thread limits cover the JavaScript heap only; the compiler's memory is WebAssembly's and grows through here. */
function limitMemory(): void {
  const grow = WebAssembly.Memory.prototype.grow
  WebAssembly.Memory.prototype.grow = function (pages) {
    const size = this.buffer.byteLength + pages * PAGE_BYTES
    if (size > MEMORY_LIMIT_BYTES) throw new RangeError(`more than ${MEMORY_LIMIT_BYTES} bytes of memory`)
    memoryBytes = Math.max(memoryBytes, size)
    return grow.call(this, pages)
  }
}
