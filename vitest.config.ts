import { defineConfig } from 'vitest/config'
import { PATIENCE_MS, TEST_TIMEOUT_MS } from './test/support/until.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // Each process takes many files: modules are loaded once in it, which costs as much as many a test.
    isolate: false,
    setupFiles: ['test/support/tidy-process.ts'],
    // More than the two cores we count on: most files wait for a database, a chain or a browser.
    maxWorkers: 4,
    // For hangs, not for speed: a busy machine is slow.
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    // Each look at a page takes the processor from what it waits for.
    expect: { poll: { timeout: PATIENCE_MS, interval: 100 } },
  },
})
