import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds that long work may block the event loop. */
const MAX_BLOCK_MS = 10

/** Yields to the event loop when it was blocked for too long; called between the parts of long work. */
export type Pause = () => Promise<void>

export function createPause(): Pause {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < MAX_BLOCK_MS) return
    await nextTurn()
    began = performance.now()
  }
}
