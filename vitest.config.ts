import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // Each process takes many files: modules are loaded once in it, which costs as much as many a test.
    isolate: false,
    setupFiles: ['test/support/tidy-process.ts'],
    sequence: { sequencer: LongestFirst },
    // More than the two cores we count on: most files wait for a database, a chain or a browser.
    maxWorkers: 4,
    // Until whole runs pass without: each failure of a first try is still a defect of the test or the product.
    retry: 1,
    // For hangs, not for speed: a busy machine is slow. What has to be fast is judged in the test.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
