import { defineConfig } from 'vitest/config'
import { PATIENCE_MS, TEST_TIMEOUT_MS } from './test/support/until.ts'

/** Tests of the built program with its own processes, as `npm start` runs it. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    globalSetup: ['test/support/e2e-setup.ts'],
    // As for the other tests.
    pool: 'forks',
    isolate: false,
    setupFiles: ['test/support/tidy-process.ts'],
    // Most share the one program, some start their own: more files at a time, and pages wait for each other.
    maxWorkers: 3,
    // Each wait has its own timeout: this one is for hangs.
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    // Each look at a page takes the processor from what it waits for.
    expect: { poll: { timeout: PATIENCE_MS, interval: 100 } },
  },
})
