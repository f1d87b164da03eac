/*
 * Time in which this process ran. Machines that are put to sleep, and processes that somebody stops together with
 * ours, would otherwise look like a network that does not answer.
 */

const TICK_MS = 250
/** Even a busy machine lets a timer come earlier than this. */
const STANDSTILL_MS = 5_000

let awake = 0
let last = performance.now()
let stoodStillAt = Number.NEGATIVE_INFINITY
setInterval(() => {
  const now = performance.now()
  if (now - last > STANDSTILL_MS) stoodStillAt = now
  else awake += now - last
  last = now
}, TICK_MS).unref()

/** Milliseconds that this process ran, standstills left out. */
export function awakeMs(): number {
  return awake
}

/** Whether everything stood still a moment ago, so that timers of other processes may just have run out. */
export function stoodStillLately(): boolean {
  const now = performance.now()
  return now - last > STANDSTILL_MS || now - stoodStillAt < 2 * STANDSTILL_MS
}

/** Aborts after so many milliseconds of running. `stop` when it is not needed any more. */
export function patience(milliseconds: number): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController()
  const until = awake + milliseconds
  const timer = setInterval(() => {
    if (awake > until) controller.abort(new DOMException('Patience is over', 'TimeoutError'))
  }, TICK_MS)
  return { signal: controller.signal, stop: () => clearInterval(timer) }
}
