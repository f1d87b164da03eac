import { createCompilerPool } from '#lib/compute/solidity/pool.ts'
import type { Services } from '#lib/core/context/context.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { knownCode, remember } from './compiled-bodies.ts'
import { testConfig } from './config.ts'

type Pool = ReturnType<typeof createCompilerPool>

let started: Pool | undefined
let shared: Pool | undefined

/** One for all test files of a process: starting a compiler costs more than most tests. It ends with the process. */
function pool(): Pool {
  started ??= createCompilerPool(testConfig().compile)
  return started
}

/** The same, which compiles no body that another process of this run has compiled. */
export function sharedCompiler(): Pool {
  const own = pool()
  shared ??= {
    ...own,
    async compile(kind, name, body, signal) {
      const code = knownCode(kind, body) ?? remember(kind, body, await own.compile(kind, name, body, signal))
      const { argsCount, runtime } = code
      return { kind, name, argsCount, runtime, contentHash: codeContentHash(kind, name, argsCount, runtime) }
    },
    async inspect(kind, body, signal) {
      const code = knownCode(kind, body)
      if (code !== undefined) return { status: 'compiled', ...code }
      const outcome = await own.inspect(kind, body, signal)
      if (outcome.status === 'compiled') remember(kind, body, outcome)
      return outcome
    },
  }
  return shared
}

/** The shared compiler in the place of the services' own. */
export function withSharedCompiler(own: Services): Services {
  const compiler = sharedCompiler()
  return { ...own, compiler, pools: { ...own.pools, compile: () => compiler.load() } }
}

const TIMES_SMALL = 15
const LEAST_LIMIT_MS = 1_500
let small = 1_000_000

/**
 * A time limit for compilations, by what small bodies take on this machine, however busy: far more than one of them
 * needs, in milliseconds, and far less than a body that takes a hundred times as long.
 */
export async function compileLimitMs(): Promise<number> {
  const compiler = pool()
  // Never the same again: what is known is not compiled.
  const compile = () => compiler.compile('transformation', 'Small', `return x + ${small++};`)
  await compile()
  const began = performance.now()
  for (let i = 0; i < 3; i++) await compile()
  return Math.max(LEAST_LIMIT_MS, Math.round((TIMES_SMALL * (performance.now() - began)) / 3))
}
