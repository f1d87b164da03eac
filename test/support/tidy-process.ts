import fc from 'fast-check'
import { afterAll, vi } from 'vitest'
import { SEED } from './slice.ts'

/*
 * Files share a process, which saves each of them the loading of all modules; what one puts in the place of a global
 * must not reach the next.
 */

fc.configureGlobal({ seed: SEED })

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
