import { isMainThread } from 'node:worker_threads'

/** Loaded into a process beside its program: on SIGUSR2 the main thread stands still for BLOCK_MS milliseconds. */
if (isMainThread) {
  process.on('SIGUSR2', () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(process.env.BLOCK_MS))
  })
}
