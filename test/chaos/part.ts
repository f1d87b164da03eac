import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from '../../scripts/stack/child.ts'
import { stoodStillLately } from './awake.ts'

const AGAIN_MS = 250
/** A process that ends this soon could not start, which it may say by ending while something it needs is away. */
const STARTING_MS = 10_000

export interface PartOptions {
  readonly name: string
  readonly start: () => Promise<Child>
  /** Whether what the part needs to start is there. */
  readonly hasWhatItNeeds: () => boolean
  /** Told when the process ended and nobody had asked it to. */
  readonly onDeath: (how: string) => void
}

/** A process of the network that is started again whenever it ended, as an operator's supervisor would. */
export interface Part {
  readonly name: string
  /** Undefined while it is not running. */
  pid(): number | undefined
  /** Resolves when it runs. */
  up(): Promise<void>
  /** Ends it, and keeps it down until everybody who held it has released it. */
  hold(signal: NodeJS.Signals): Promise<void>
  release(): void
  /** What ends it now is the fault's doing. */
  excuse(): void
  stop(): Promise<void>
}

export function runPart(options: PartOptions): Part {
  let child: Child | undefined
  let expected = false
  let holds = 0
  let held = Promise.withResolvers<void>()
  held.resolve()
  let running = Promise.withResolvers<void>()
  let stopping = false

  const keep = async (): Promise<void> => {
    while (!stopping) {
      await held.promise
      if (stopping) return
      expected = false
      const since = Date.now()
      try {
        child = await options.start()
        running.resolve()
        const { code, signal } = await child.exited
        const young = Date.now() - since < STARTING_MS
        const excused = young && (!options.hasWhatItNeeds() || stoodStillLately())
        if (!expected && !excused) {
          options.onDeath(`${options.name} ended by itself (${signal ?? code}):\n${child.tail()}`)
        }
      } catch (error) {
        if (options.hasWhatItNeeds() && !expected) options.onDeath(`${options.name}: ${String(error)}`)
      }
      child = undefined
      running = Promise.withResolvers()
      await sleep(AGAIN_MS)
    }
  }
  const keeping = keep()

  return {
    name: options.name,
    pid: () => child?.pid,
    up: () => running.promise,
    async hold(signal) {
      const now = child
      expected = true
      if (holds === 0) held = Promise.withResolvers()
      holds += 1
      await now?.stop(signal)
    },
    release() {
      holds -= 1
      if (holds === 0) held.resolve()
    },
    excuse() {
      expected = true
    },
    async stop() {
      stopping = true
      expected = true
      held.resolve()
      await child?.stop('SIGTERM', 3_000)
      await keeping
    },
  }
}
