import { setImmediate as nextTurn } from 'node:timers/promises'

/** Longest that long work holds the event loop between two pauses, in milliseconds. */
const LONGEST_TURN_MS = 10

/** Called between the parts of long work: returns to the event loop when its turn has lasted long enough. */
export type Pause = () => Promise<void>

export const createPause = (): Pause => {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < LONGEST_TURN_MS) return
    await nextTurn()
    began = performance.now()
  }
}
