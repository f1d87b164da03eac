import { availableParallelism } from 'node:os'
import type { Config } from '#lib/platform/config.ts'
import { readConfig } from '#lib/platform/config.ts'

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
    compile: { ...config.compile, timeoutMs: 30_000, threads: 1 },
    simulate: { ...config.simulate, threads },
    ...overrides,
  }
}
