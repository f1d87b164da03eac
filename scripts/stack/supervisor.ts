import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './child.ts'
import type { RunFile } from './run-file.ts'

/** A running part of the stack. */
export interface Part {
  readonly child: Child
  stop(): Promise<void>
}

export interface Supervisor {
  /** Starts a part and, whenever it ends by itself, starts it again. Rejects when the first start fails. */
  run(name: string, start: () => Promise<Part>): Promise<void>
  /** Stops parts, all named ones at once, without starting them again. */
  stop(...names: readonly string[]): Promise<void>
}

export interface SupervisorOptions {
  readonly runFile: RunFile
  readonly say: (line: string) => void
  /** Called once, when a part cannot be kept running. */
  readonly onGiveUp: (reason: string) => void
}

const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 10_000
/** A part that ran this long was healthy: its next end counts as the first. */
const HEALTHY_MS = 60_000
const MAX_FAILURES = 8

interface Entry {
  part: Part | undefined
  stopping: boolean
  loop: Promise<void>
}

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const entries = new Map<string, Entry>()

  const launch = async (name: string, entry: Entry, start: () => Promise<Part>): Promise<Part> => {
    const part = await start()
    options.runFile.add(name, part.child.pid)
    entry.part = part
    if (entry.stopping) await part.stop()
    return part
  }

  const keep = async (name: string, entry: Entry, start: () => Promise<Part>, first: Part): Promise<void> => {
    let part: Part | undefined = first
    let failures = 0
    while (!entry.stopping) {
      let tail = ''
      let how = 'could not be started'
      if (part) {
        const since = Date.now()
        const { code, signal } = await part.child.exited
        options.runFile.remove(part.child.pid)
        entry.part = undefined
        if (entry.stopping) return
        if (Date.now() - since > HEALTHY_MS) failures = 0
        how = signal ? `was ended by ${signal}` : `ended with code ${code}`
        tail = part.child.tail()
      }
      failures += 1
      if (failures > MAX_FAILURES) {
        options.onGiveUp(`The ${name} keeps failing: it ${how}. Its last lines:\n${tail}`)
        return
      }
      const delay = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_DELAY_MS)
      options.say(`The ${name} ${how}; starting it again.`)
      await sleep(delay)
      if (entry.stopping) return
      try {
        part = await launch(name, entry, start)
      } catch (error) {
        part = undefined
        options.say(error instanceof Error ? error.message : String(error))
      }
    }
  }

  return {
    async run(name, start) {
      const entry: Entry = { part: undefined, stopping: false, loop: Promise.resolve() }
      entries.set(name, entry)
      const part = await launch(name, entry, start)
      entry.loop = keep(name, entry, start, part)
    },
    async stop(...names) {
      await Promise.all(
        names.map(async (name) => {
          const entry = entries.get(name)
          if (!entry) return
          entry.stopping = true
          await entry.part?.stop()
        }),
      )
    },
  }
}
