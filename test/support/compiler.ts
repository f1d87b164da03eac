import { createCompilerPool } from '#lib/compute/solidity/pool.ts'
import type { Services } from '#lib/core/context/context.ts'
import { testConfig } from './config.ts'

let compiler: ReturnType<typeof createCompilerPool> | undefined

/** One for all test files of a process: starting a compiler costs more than most tests. It ends with the process. */
export function sharedCompiler(): ReturnType<typeof createCompilerPool> {
  compiler ??= createCompilerPool(testConfig().compile)
  return compiler
}

/** The shared compiler in the place of the services' own. */
export function withSharedCompiler(own: Services): Services {
  const shared = sharedCompiler()
  return { ...own, compiler: shared, pools: { ...own.pools, compile: () => shared.load() } }
}

const TIMES_SMALL = 15
const LEAST_LIMIT_MS = 1_500
let small = 1_000_000

/**
 * A time limit for compilations, by what small bodies take on this machine, however busy: far more than one of them
 * needs, in milliseconds, and far less than a body that takes a hundred times as long.
 */
export async function compileLimitMs(): Promise<number> {
  const compiler = sharedCompiler()
  // Never the same again: what is known is not compiled.
  const compile = () => compiler.compile('transformation', 'Small', `return x + ${small++};`)
  await compile()
  const began = performance.now()
  for (let i = 0; i < 3; i++) await compile()
  return Math.max(LEAST_LIMIT_MS, Math.round((TIMES_SMALL * (performance.now() - began)) / 3))
}
