import { createHash } from 'node:crypto'
import { codeContentHash } from '../domain/content-hash.ts'
import { Failure } from '../domain/failure.ts'
import { BoundedPool, type Loaded, PoolLimit } from '../threads/bounded-pool.ts'
import type { BodyKind, CompileOutcome } from './compile-body.ts'
import type { Compiler, SourceProblem } from './compiler.ts'
import { OutcomeCache } from './outcome-cache.ts'
import { SingleFlight } from './single-flight.ts'
import type { CompileTask } from './worker.ts'
import { COMPILER_SETTINGS, SOLC_VERSION, wrapBody } from './wrap.ts'

export interface CompilerPoolOptions {
  /** Wall clock of one compilation, without the time it waited in the queue. */
  readonly timeoutMs: number
  /** Bodies that may wait; one more is refused. */
  readonly maxQueue: number
  readonly threads: number
}

/** Longest body, in UTF-8 bytes. */
export const MAX_BODY_BYTES = 32 * 1024

const HEAP_LIMIT_MB = 512
/** Enough for the compiler to reach its own nesting limits, which it reports with a position. */
const STACK_MB = 16
const CACHE_BYTES = 32 * 2 ** 20
const MAX_PROBLEMS = 50

/**
 * A compiler on worker threads: a body that goes wrong costs its own thread, which is replaced. Equal bodies are
 * compiled once, whatever the entities are called.
 */
export function createCompilerPool(options: CompilerPoolOptions): Compiler & Loaded {
  const pool = new BoundedPool<CompileTask, CompileOutcome>({
    ...options,
    worker: 'lib/solidity/worker.ts',
    heapLimitMb: HEAP_LIMIT_MB,
    stackMb: STACK_MB,
  })
  const cache = new OutcomeCache(CACHE_BYTES)
  const flights = new SingleFlight<CompileOutcome>()

  const run = async (kind: BodyKind, body: string, signal: AbortSignal): Promise<CompileOutcome> => {
    try {
      return await pool.run((started) => ({ kind, body, started }), signal)
    } catch (error) {
      throw error instanceof PoolLimit ? limitFailure(error, options) : error
    }
  }

  return {
    compile: async (kind, name, body, signal) => {
      checkBody(body)
      const key = cacheKey(kind, body)
      let outcome = cache.get(key)
      if (outcome === undefined) {
        outcome = await flights.run(key, signal, (stop) => run(kind, body, stop))
        cache.set(key, outcome)
      }
      if (outcome.status !== 'compiled') throw new Failure('invalid_request', refusalText(outcome))
      const { argsCount, runtime } = outcome
      return { kind, name, argsCount, runtime, contentHash: codeContentHash(kind, name, argsCount, runtime) }
    },
    close: () => pool.close(),
    load: () => pool.load(),
  }
}

function checkBody(body: string): void {
  const refuse = (message: string): never => {
    throw new Failure('invalid_request', message)
  }
  if (body.trim() === '') refuse('sol_src is empty')
  // A string has at most three bytes a unit, so the cheap test comes first.
  if (body.length > MAX_BODY_BYTES || Buffer.byteLength(body) > MAX_BODY_BYTES) {
    refuse(`sol_src is longer than ${MAX_BODY_BYTES} bytes`)
  }
  if (!body.isWellFormed()) refuse('sol_src is not well-formed Unicode')
}

function cacheKey(kind: BodyKind, body: string): string {
  const { source } = wrapBody(kind, body)
  return createHash('sha256')
    .update(JSON.stringify([SOLC_VERSION, COMPILER_SETTINGS, kind, source]))
    .digest('base64')
}

function limitFailure({ limit }: PoolLimit, { timeoutMs }: CompilerPoolOptions): Failure {
  if (limit === 'queue') {
    return new Failure('overloaded', 'Too many bodies are waiting to be compiled; try again shortly', {
      retryAfterSeconds: 2,
    })
  }
  const exceeded = limit === 'time' ? `took longer than ${timeoutMs} ms` : 'needed too much memory'
  return new Failure('invalid_request', `Compilation ${exceeded}; simplify the body`)
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
