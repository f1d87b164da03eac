import { defineConfig } from 'vitest/config'

/** Tests of the program as people start it: built, with its own processes. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    globalSetup: ['test/support/e2e-setup.ts'],
    reporters: ['default', './test/support/count-reporter.ts'],
    pool: 'forks',
    // Each file drives whole stacks; side by side they would only slow each other down.
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
})
