import { afterAll, vi } from 'vitest'

/*
 * Files share a process, which saves each of them the loading of all modules; what one puts in the place of a global
 * must not reach the next.
 */

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
