import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/**
 * Writes how many tests passed and failed to the file named by `WEFT_TEST_COUNTS`, for the test command's sum, and names
 * those that passed only when they were tried again.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        if (test.diagnostic()?.flaky)
          console.log(`Passed at the second try: ${module.relativeModuleId} > ${test.fullName}`)
      }
    }
    const file = process.env.WEFT_TEST_COUNTS
    if (!file) return
    let passed = 0
    // An error outside of any test is a failure of its own.
    let failed = errors.length
    for (const module of modules) {
      const failedBefore = failed
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed += 1
        else if (state === 'failed' || state === 'pending') failed += 1
      }
      if (module.state() === 'failed' && failed === failedBefore) failed += 1
    }
    writeFileSync(file, JSON.stringify({ passed, failed }))
  }
}
