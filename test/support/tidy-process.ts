import fc from 'fast-check'
import { afterAll, vi } from 'vitest'

/*
 * Files share a process, which saves each of them the loading of all modules; what one puts in the place of a global
 * must not reach the next.
 */

// A run that fails is one that fails again; `FAST_CHECK_SEED=7` draws others.
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_261) })

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
