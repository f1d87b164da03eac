import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

const files = (...names: string[]) => names.map((name) => `e2e/${name}.test.ts`)

/** These start programs of their own, which they kill, or rewrite the chain that the others publish on. */
const own = files('adapters', 'chaos', 'configured', 'feed', 'health', 'start')

/** Opens hundreds of streams at once and counts the seconds that their end takes. */
const alone = files('streams')

const shared = {
  // As for the other tests.
  pool: 'forks',
  isolate: false,
  setupFiles: 'test/support/tidy-process.ts',
  retry: 1,
  // Each wait has its own end, at half a minute at most: this one is for what waits for nothing any more.
  testTimeout: 150_000,
  hookTimeout: 180_000,
  // A busy machine answers late, which is no defect.
  expect: { poll: { timeout: 20_000 } },
} as const

/** Tests of the program as people start it: built, with its own processes. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/e2e-setup.ts'],
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/support/count-reporter.ts'],
    projects: [
      // Pages mostly wait, so several files at a time share the one program.
      {
        test: {
          ...shared,
          name: 'site',
          include: ['e2e/**/*.test.ts'],
          exclude: [...own, ...alone],
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
        },
      },
      { test: { ...shared, name: 'own', include: own, maxWorkers: 2, sequence: { groupOrder: 1 } } },
      { test: { ...shared, name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 2 } } },
    ],
  },
})
