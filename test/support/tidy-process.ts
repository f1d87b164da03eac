import { AsyncLocalStorage } from 'node:async_hooks'
import fc from 'fast-check'
import { afterAll, vi } from 'vitest'
import { SEED } from './slice.ts'

/*
 * Files share a process, which saves each of them the loading of all modules; what one puts in the place of a global
 * must not reach the next.
 */

fc.configureGlobal({ seed: SEED })

// As Next's server begins: a part of Next that loads without it keeps a stand-in, whose methods throw out of every console
// call of the process once another part has patched the console.
Object.assign(globalThis, { AsyncLocalStorage })

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
