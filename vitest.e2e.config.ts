import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

function files(...names: string[]) {
  return names.map((name) => `e2e/${name}.test.ts`)
}

/** These start their own programs, or rewrite the chain that the others publish on. */
const own = files('adapters', 'chaos', 'configured', 'feed', 'health', 'start')

/** Opens hundreds of streams at once and counts the seconds that their end takes. */
const alone = files('streams')

const shared = {
  // As for the other tests.
  pool: 'forks',
  isolate: false,
  setupFiles: 'test/support/tidy-process.ts',
  // As for the other tests.
  retry: process.env.CI ? 2 : 0,
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
      // Several files at a time share the one program: more of them than cores, and pages wait for each other.
      {
        test: {
          ...shared,
          name: 'site',
          include: ['e2e/**/*.test.ts'],
          exclude: [...own, ...alone],
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      { test: { ...shared, name: 'own', include: own, maxWorkers: 3, sequence: { groupOrder: 1 } } },
      { test: { ...shared, name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 2 } } },
    ],
  },
})
