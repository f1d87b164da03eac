import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './child.ts'

/** A running part of the stack. */
export interface Part {
  readonly child: Child
  stop(): Promise<void>
}

export interface Supervisor {
  /**
   * Starts a part and restarts it whenever it exits. Rejects when the first start fails.
   *
   * @param needs Parts without which it cannot run: while one of them is down, it is not started again.
   */
  run(name: string, start: () => Promise<Part>, needs?: readonly string[]): Promise<void>
  /** Stops a part so that it is restarted; no effect while it is not running. */
  restart(name: string): Promise<void>
  /** Stops parts, all named ones at once, without starting them again; from then on nothing new is started. */
  stop(...names: readonly string[]): Promise<void>
}

export interface SupervisorOptions {
  readonly say: (line: string) => void
  /** Called once, when a part repeatedly fails to stay up. */
  readonly onGiveUp: (reason: string) => void
}

const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 10_000
/** A part that ran this long was healthy: its next end counts as the first. */
const HEALTHY_MS = 60_000
/** Over a minute in all. */
const MAX_FAILURES = 12

interface Entry {
  readonly needs: readonly string[]
  part: Part | undefined
  stopping: boolean
}

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const entries = new Map<string, Entry>()
  let closing = false

  const launch = async (entry: Entry, start: () => Promise<Part>): Promise<Part> => {
    const part = await start()
    entry.part = part
    if (entry.stopping) await part.stop()
    return part
  }

  const lacksOne = ({ needs }: Entry): boolean =>
    needs.some((name) => entries.has(name) && entries.get(name)?.part === undefined)

  const keep = async (name: string, entry: Entry, start: () => Promise<Part>, first: Part): Promise<void> => {
    let part: Part | undefined = first
    let failures = 0
    while (!entry.stopping) {
      let tail = ''
      let how = 'could not be started'
      if (part) {
        const since = Date.now()
        const { code, signal } = await part.child.exited
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
      options.say(`The ${name} ${how}; restarting it.`)
      await sleep(delay)
      while (lacksOne(entry) && !entry.stopping) {
        failures = 0
        await sleep(FIRST_DELAY_MS)
      }
      if (entry.stopping) return
      try {
        part = await launch(entry, start)
      } catch (error) {
        part = undefined
        options.say(error instanceof Error ? error.message : String(error))
      }
    }
  }

  return {
    async run(name, start, needs = []) {
      if (closing) throw new Error(`The ${name} is not started: everything is stopping`)
      const entry: Entry = { needs, part: undefined, stopping: false }
      entries.set(name, entry)
      const part = await launch(entry, start)
      void keep(name, entry, start, part)
    },
    async restart(name) {
      await entries.get(name)?.part?.stop()
    },
    async stop(...names) {
      closing = true
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
