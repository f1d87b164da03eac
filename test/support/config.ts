import { availableParallelism } from 'node:os'
import { readConfig } from '#lib/features/config.ts'
import type { Config } from '#lib/platform/config.ts'
import { PATIENCE_MS } from './until.ts'

/** A valid configuration with the defaults of the program, quiet, and with small pools. */
export function testConfig(overrides: Partial<Config> = {}): Config {
  const threads = Math.min(2, availableParallelism())
  const config = readConfig({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    CHAIN_TOKEN_KEY: 'ab'.repeat(32),
    SESSION_KEY: 'cd'.repeat(32),
    LOG_LEVEL: 'silent',
  })
  return {
    ...config,
    // A machine busy with other tests takes its time over a harmless body, run or bundle.
    compile: { ...config.compile, timeoutMs: 60_000, threads: 1 },
    simulate: { ...config.simulate, timeoutMs: PATIENCE_MS, threads },
    execute: { ...config.execute, timeoutMs: PATIENCE_MS },
    bundleCheck: { ...config.bundleCheck, timeoutMs: PATIENCE_MS },
    ...overrides,
  }
}
