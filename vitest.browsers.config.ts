import { defineConfig } from 'vitest/config'
import { PATIENCE_MS, TEST_TIMEOUT_MS } from './test/support/until.ts'

/** What has to hold in every browser, in those that the machine has: `npm run test:browsers`. */
export default defineConfig({
  test: {
    include: ['test/suites/browsers/suites.ts'],
    globalSetup: ['test/support/global-setup.ts', 'test/support/e2e-setup.ts'],
    setupFiles: ['test/support/tidy-process.ts'],
    reporters: ['default', './test/suites/browsers/table-reporter.ts'],
    pool: 'forks',
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
})
