import { createCompilerPool } from '../../lib/compute/solidity/pool.ts'
import type { Services } from '../../lib/context/context.ts'
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
