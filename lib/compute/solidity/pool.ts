import { createHash } from 'node:crypto'
import { ByteLru } from '#lib/platform/cache/byte-lru.ts'
import type { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { BoundedPool, type Loaded, PoolLimit } from '../threads/bounded-pool.ts'
import type { BodyKind, CompileOutcome } from './compile-body.ts'
import type { CompileTask, CompileThreadData } from './compile-thread.ts'
import type { Compiler, SourceProblem } from './compiler.ts'
import { COMPILER_SETTINGS, SOLC_VERSION, wrapBody } from './wrap.ts'

export interface CompilerPoolOptions {
  /** Wall clock of one compilation, without its time in the queue, in milliseconds. */
  readonly timeoutMs: number
  /** Queue length; one more body is refused. */
  readonly maxQueue: number
  readonly threads: number
  /** `nice` increment of its threads; 0 by default. */
  readonly niceness?: number
  readonly ledger?: UsageLedger
}

/** Longest body, in UTF-8 bytes. */
export const MAX_BODY_BYTES = 32 * 1024

const HEAP_LIMIT_MB = 512
/** Enough for the compiler to reach its own nesting limits, which it reports with a position. */
const STACK_MB = 16
/** Speed of the compiler with usual bodies. */
const CHARACTERS_A_SECOND = 10_000
const CACHE_BYTES = 32 * 2 ** 20
/** Approximate overhead of a cache entry. */
const ENTRY_BYTES = 256
const MAX_PROBLEMS = 50

/** Start data of all compiler threads of this process. */
const threadData: CompileThreadData = {}

/**
 * A compiler on worker threads: a body that goes wrong costs its own thread, which is replaced. Equal bodies are
 * compiled once, whatever the entities are called.
 */
export function createCompilerPool(options: CompilerPoolOptions): Compiler & Loaded {
  const pool = new BoundedPool<CompileTask, CompileOutcome>({
    ...options,
    worker: 'lib/compute/solidity/compile-thread.ts',
    overload: 'compile',
    heapLimitMb: HEAP_LIMIT_MB,
    stackMb: STACK_MB,
    spare: true,
    threadData,
  })
  const cache = new ByteLru<string, CompileOutcome>(CACHE_BYTES)
  const flights = new SingleFlight<CompileOutcome>()

  const run = async (kind: BodyKind, body: string, signal: AbortSignal): Promise<CompileOutcome> => {
    try {
      const expectedSeconds = body.length / CHARACTERS_A_SECOND
      return await pool.run((started) => ({ kind, body, started }), { signal, expectedSeconds })
    } catch (error) {
      throw error instanceof PoolLimit ? limitFailure(error, options) : error
    }
  }

  const outcomeOf = async (kind: BodyKind, body: string, signal?: AbortSignal): Promise<CompileOutcome> => {
    const key = cacheKey(kind, body)
    const inspection = cache.get(key)
    if (inspection !== undefined) return inspection
    const outcome = await flights.run(key, signal, (stop) => run(kind, body, stop))
    cache.set(key, outcome, ENTRY_BYTES + JSON.stringify(outcome).length)
    return outcome
  }

  return {
    compile: async (kind, name, body, signal) => {
      const problem = bodyProblem(body)
      if (problem !== undefined) throw new Failure('invalid_request', `sol_src ${problem}`)
      const outcome = await outcomeOf(kind, body, signal)
      if (outcome.status !== 'compiled') throw new Failure('invalid_request', refusalText(outcome))
      const { argsCount, runtime } = outcome
      return { kind, name, argsCount, runtime, contentHash: codeContentHash(kind, name, argsCount, runtime) }
    },
    inspect: async (kind, body, signal) => {
      const problem = bodyProblem(body)
      if (problem !== undefined) return { status: 'refused', reason: `the body ${problem}` }
      try {
        return await outcomeOf(kind, body, signal)
      } catch (error) {
        if (error instanceof Failure && error.code === 'invalid_request') {
          const { cause } = error
          return {
            status: 'refused',
            reason: error.message,
            ...(cause instanceof PoolLimit && { limit: cause.limit }),
          }
        }
        throw error
      }
    },
    start: () => pool.start(),
    close: () => pool.close(),
    load: () => pool.load(),
  }
}

/** Problem of a text that is never compiled; undefined when there is none. */
function bodyProblem(body: string): string | undefined {
  if (body.trim() === '') return 'is empty'
  // A string has at most three bytes a unit, so the cheap test comes first.
  if (body.length > MAX_BODY_BYTES || Buffer.byteLength(body) > MAX_BODY_BYTES) {
    return `is longer than ${MAX_BODY_BYTES} bytes`
  }
  return body.isWellFormed() ? undefined : 'is not well-formed Unicode'
}

function cacheKey(kind: BodyKind, body: string): string {
  const { source } = wrapBody(kind, body)
  return createHash('sha256')
    .update(JSON.stringify([SOLC_VERSION, COMPILER_SETTINGS, kind, source]))
    .digest('base64')
}

function limitFailure(cause: PoolLimit, { timeoutMs }: CompilerPoolOptions): Failure {
  const exceeded = cause.limit === 'time' ? `took longer than ${timeoutMs} ms` : 'needed too much memory'
  return new Failure('invalid_request', `Compilation ${exceeded}; simplify the body`, {}, { cause })
}

function refusalText(outcome: Exclude<CompileOutcome, { status: 'compiled' }>): string {
  if (outcome.status === 'refused') return `sol_src is refused: ${outcome.reason}`
  const listed = outcome.problems.slice(0, MAX_PROBLEMS).map(problemText)
  const more = outcome.problems.length - listed.length
  if (more > 0) listed.push(`and ${more} more`)
  return `sol_src does not compile:\n${listed.join('\n')}`
}

function problemText({ line, column, message }: SourceProblem): string {
  return `${line}:${column} ${message}`
}

interface Flight<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  waiting: number
}

/**
 * Deduplicates concurrent calls with equal keys. A caller that aborts does not affect the others; the work is cancelled
 * when the last one aborts.
 */
class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>()

  async run(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted()
    const flight = this.#flights.get(key) ?? this.#depart(key, work)
    flight.waiting += 1
    let giveUp = () => {}
    try {
      if (signal === undefined) return await flight.result
      const cancellation = new Promise<never>((_, reject) => {
        giveUp = () => reject(signal.reason)
        signal.addEventListener('abort', giveUp)
      })
      return await Promise.race([flight.result, cancellation])
    } finally {
      signal?.removeEventListener('abort', giveUp)
      flight.waiting -= 1
      if (flight.waiting === 0) {
        if (this.#flights.get(key) === flight) this.#flights.delete(key)
        flight.controller.abort()
      }
    }
  }

  #depart(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController()
    const flight = { result: work(controller.signal), controller, waiting: 0 }
    // All callers may have aborted by the time it fails.
    flight.result.catch(() => {})
    this.#flights.set(key, flight)
    return flight
  }
}
