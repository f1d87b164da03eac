import { defineConfig } from 'vitest/config'
import { LongestFirst, leftOut } from './test/support/slow-files.ts'

/** Rewrites the chain that the others publish on, and publishes what they expect to be free. */
const last = ['e2e/feed.test.ts', 'e2e/first-hour.test.ts']

const shared = {
  // As for the other tests.
  pool: 'forks',
  isolate: false,
  setupFiles: 'test/support/tidy-process.ts',
  // In CI only: e2e/first-hour sees a 401 now and then whose cause is not found yet.
  retry: process.env.CI ? 1 : 0,
  // Each wait has its own timeout: this one is for hangs.
  testTimeout: 180_000,
  hookTimeout: 240_000,
  // A busy machine is slow.
  expect: { poll: { timeout: 60_000 } },
} as const

/** Tests of the built program with its own processes, as `npm start` runs it. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/e2e-setup.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      // Most share the one program, some start their own: more files at a time, and pages wait for each other.
      {
        test: {
          ...shared,
          name: 'site',
          include: ['e2e/**/*.test.ts'],
          exclude: [...last, ...leftOut],
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      { test: { ...shared, name: 'last', include: last, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
})
