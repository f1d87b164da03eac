import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../simulation/random.ts'
import { type ChaosNetwork, SLOTS_IN_AN_EPOCH } from './network.ts'
import type { Part } from './part.ts'

/** One kind of bad luck. */
export interface Fault {
  readonly name: string
  /** Makes it happen. @returns how to take it back. */
  readonly begin: (network: ChaosNetwork, random: Random) => Promise<() => void | Promise<void>>
}

/** Down at once, and up again when the fault is over. */
function held(
  name: string,
  signal: NodeJS.Signals,
  pick: (network: ChaosNetwork, random: Random) => Part,
): Fault {
  return {
    name,
    async begin(network, random) {
      const part = pick(network, random)
      await part.hold(signal)
      return () => part.release()
    },
  }
}

const aSite = (network: ChaosNetwork, random: Random) => random.pick(network.siteParts)
const aWorker = (network: ChaosNetwork, random: Random) => random.pick(network.workerParts)

/** A process that another fault has ended meanwhile needs no signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // Gone.
  }
}

/** Left on a full disk: not one page of a table. */
const LEFT_BYTES = 4_096

const all: readonly Fault[] = [
  held('kill -9 a site', 'SIGKILL', aSite),
  held('end a site', 'SIGTERM', aSite),
  held('kill -9 a worker', 'SIGKILL', aWorker),
  held('end a worker', 'SIGTERM', aWorker),
  held('kill -9 the database', 'SIGKILL', ({ database }) => database),
  {
    name: 'kill -9 both workers',
    async begin({ workerParts }) {
      await Promise.all(workerParts.map((part) => part.hold('SIGKILL')))
      return () => {
        for (const part of workerParts) part.release()
      }
    },
  },
  {
    name: 'kill -9 a process of the database',
    async begin({ sql }, random) {
      // Another fault may have taken the whole database.
      const backends = await sql<{ pid: number }[]>`
        select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`.catch(
        () => [],
      )
      if (backends.length > 0) signal(random.pick(backends).pid, 'SIGKILL')
      return () => {}
    },
  },
  {
    name: 'stop a worker in its tracks',
    async begin(network, random) {
      const pid = aWorker(network, random).pid()
      if (pid === undefined) return () => {}
      signal(pid, 'SIGSTOP')
      return () => signal(pid, 'SIGCONT')
    },
  },
  {
    name: 'cut the wire to the database',
    async begin({ databaseWire }) {
      databaseWire.refuse()
      return () => databaseWire.accept()
    },
  },
  {
    name: 'freeze the wire to the database',
    async begin({ databaseWire }) {
      databaseWire.freeze()
      return () => databaseWire.thaw()
    },
  },
  {
    name: 'cut the wire to the chain',
    async begin({ chainWires }) {
      for (const wire of chainWires) wire.refuse()
      return () => {
        for (const wire of chainWires) wire.accept()
      }
    },
  },
  {
    name: 'freeze the wire to the chain',
    async begin({ chainWires }) {
      for (const wire of chainWires) wire.freeze()
      return () => {
        for (const wire of chainWires) wire.thaw()
      }
    },
  },
  {
    name: 'slow the wire to the chain',
    async begin({ chainWires }, random) {
      const milliseconds = random.between(20, 300)
      for (const wire of chainWires) wire.slow(milliseconds)
      return () => {
        for (const wire of chainWires) wire.slow(0)
      }
    },
  },
  {
    name: 'let the node fail now and then',
    async begin({ node }, random) {
      node.intervene = () => {
        if (random.chance(0.7)) return undefined
        return random.chance(0.5) ? { status: 503 } : { code: -32603, message: 'internal error' }
      }
      return () => {
        node.intervene = () => undefined
      }
    },
  },
  {
    name: 'reorganise the chain',
    async begin({ rpc }, random) {
      for (let times = random.between(1, 3); times > 0; times--) {
        await rpc('anvil_reorg', [random.between(1, SLOTS_IN_AN_EPOCH - 2), []])
        await sleep(random.between(0, 300))
      }
      return () => {}
    },
  },
  {
    name: 'fill the disk',
    async begin({ disk, database }) {
      disk?.fill(LEFT_BYTES)
      // A database that cannot write its log ends, and cannot start either.
      database.excuse()
      return () => {
        disk?.free()
      }
    },
  },
]

/** All faults that can be had on this machine. */
export function faultsOf(network: ChaosNetwork): readonly Fault[] {
  return network.disk === undefined ? all.filter(({ name }) => name !== 'fill the disk') : all
}
