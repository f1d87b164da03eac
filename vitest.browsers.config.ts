import { defineConfig } from 'vitest/config'

/** What has to hold in every browser, in those that the machine has: `npm run test:browsers`. */
export default defineConfig({
  test: {
    include: ['test/suites/browsers/suites.ts'],
    globalSetup: ['test/support/global-setup.ts', 'test/support/e2e-setup.ts'],
    setupFiles: ['test/support/tidy-process.ts'],
    reporters: ['default', './test/suites/browsers/table-reporter.ts'],
    pool: 'forks',
    testTimeout: 600_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
