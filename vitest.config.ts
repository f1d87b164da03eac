import { defineConfig } from 'vitest/config'
import { LongestFirst, leftOut } from './test/support/slow-files.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: leftOut,
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // Each process takes many files: modules are loaded once in it, which costs as much as many a test.
    isolate: false,
    setupFiles: ['test/support/tidy-process.ts'],
    sequence: { sequencer: LongestFirst },
    // More than the two cores we count on: most files wait for a database, a chain or a browser.
    maxWorkers: 4,
    // For hangs, not for speed: a busy machine is slow. A test that may take longer has a limit of its own.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
