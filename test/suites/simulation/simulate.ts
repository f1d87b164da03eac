import type { TestDatabase } from '#test/support/database.ts'
import { illegalChanges, illegalHistories, readDeltas } from './audit.ts'
import { Chain, DEPTHS, type Depths, shown } from './chain.ts'
import { isOfTheWorld, nameOf } from './errors.ts'
import { Faults } from './faults.ts'
import { type Arrival, Gates } from './gates.ts'
import type { NodeHabits } from './node.ts'
import { differences, differencesNow } from './oracle.ts'
import { Random } from './random.ts'
import { startProcess, type WorkerProcess, type World } from './worker-process.ts'

/** Events of one run, and faults at its end. */
export interface Report {
  readonly seed: number
  /** Everything that differs from what must be; empty when all is well. */
  readonly problems: readonly string[]
  /** Actions of the driver, the newest last. */
  readonly trace: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

/** Hearts of workers beat at least so often. */
const BEAT_MS = 500

/** Checks the tables between turns. */
const LOOKED_AT = 0.08

/** Length of a history, and how much of the program takes part. */
export interface Extent {
  readonly depths: Depths
  /** Blocks at most before the worker first comes. */
  readonly before: number
  /** Height at which the chain comes to rest: at least, at most. */
  readonly height: readonly [number, number]
  /** Probability that the chain grows before the next gate is passed. */
  readonly grows: number
  /** Reorganisations to a block. */
  readonly reorganised: number
  /** Probability that a standby worker may come next, not only the writer. */
  readonly standby: number
  /** The tables are compared with the chain at the end of each history, with an index from scratch after each nth. */
  readonly scratchEvery: number
}

/** Depths of Ethereum. */
export const LONG: Extent = {
  depths: DEPTHS,
  before: 100,
  height: [140, 260],
  grows: 0.025,
  reorganised: 0.05,
  standby: 1,
  scratchEvery: 1,
}

/** The same worker, faults and checks: a quarter of the depths and blocks, and hardly an idle poll. */
export const SHORT: Extent = {
  depths: { safe: 8, finalized: 16 },
  before: 20,
  height: [32, 48],
  grows: 0.03,
  reorganised: 0.25,
  standby: 0.03,
  scratchEvery: 8,
}

/**
 * Runs one random history with faults, all drawn from the seed, and checks the final state.
 *
 * @param db An empty database that is audited; its contents are lost.
 */
export async function simulate(seed: number, db: TestDatabase, extent = LONG): Promise<Report> {
  const run = new Run(seed, db, extent)
  try {
    return await run.run()
  } finally {
    await run.close()
  }
}

class Run {
  readonly #seed: number
  readonly #db: TestDatabase
  readonly #extent: Extent
  readonly #random: Random
  readonly #chain: Chain
  readonly #faults: Faults
  readonly #world: World
  readonly #gates = new Gates()
  readonly #workers: WorkerProcess[] = []
  readonly #dead: WorkerProcess[] = []
  readonly #trace: string[] = []
  readonly #surprises: string[] = []
  #choices = 0
  #ids = 0
  #beatAt = 0

  constructor(seed: number, db: TestDatabase, extent: Extent) {
    this.#seed = seed
    this.#db = db
    this.#extent = extent
    this.#random = new Random(seed)
    this.#chain = new Chain(this.#random.fork(), extent.depths)
    this.#faults = new Faults(this.#random.fork(), this.#chain)
    const habits: NodeHabits = {
      logRange: this.#random.pick([1, 100, 10_000]),
      tags: this.#random.chance(0.7),
      tagsEvery: this.#random.pick([0, 4]),
      remembersBranches: this.#random.chance(0.5),
      emptyForUnknown: this.#random.chance(0.5),
    }
    this.#note(`node ${JSON.stringify(habits)}`)
    this.#world = {
      chain: this.#chain,
      habits,
      gates: this.#gates,
      databaseUrl: db.url,
      admin: db.sql,
      nowMs: () => 1_800_000_000_000 + this.#choices,
      onError: (worker, error) => this.#met(worker, error),
      onUnverified: (names) => {
        for (const name of names) {
          this.#faults.count(`unverified, ${name.replace(/.*: /, '')}`)
          // Some code destroys itself; none is other than announced.
          if (name.endsWith('content_mismatch')) this.#surprises.push(`not verified: ${name}`)
        }
      },
    }
  }

  async run(): Promise<Report> {
    const { before, height } = this.#extent
    // What lies there when the worker first comes is read by ranges.
    this.#grow(this.#random.between(0, before))
    const target = this.#random.between(...height)
    try {
      while (this.#chain.head.number < target) await this.#choose()
      await this.#settle()
      return this.#report(await this.#inspect())
    } catch (error) {
      this.#surprises.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
      return this.#report([])
    }
  }

  async close(): Promise<void> {
    this.#dead.push(...this.#workers)
    await Promise.all(this.#workers.splice(0).map((worker) => worker.kill()))
    await Promise.all(this.#dead.splice(0).map((worker) => worker.gone()))
  }

  /** The chain grows, a worker is started or killed, or one goes on to its next gate. */
  async #choose(): Promise<void> {
    this.#choices += 1
    const random = this.#random
    const arrivals = await this.#gates.quiet()
    if (!this.#faults.spellbound && random.chance(this.#extent.grows)) {
      return this.#grow(random.chance(0.03) ? random.between(20, 90) : random.between(1, 3))
    }
    const workers = this.#workers.length
    if (workers === 0 || (workers === 1 && random.chance(0.004))) return this.#start()
    const arrival = this.#next(arrivals)
    if (random.chance(0.003)) return this.#kill(arrival)
    // While it waits for something else: only its next statement can detect it.
    if (arrival.at !== 'database' && random.chance(0.02)) return this.#cut(arrival)
    return this.#pass(arrival)
  }

  #next(arrivals: readonly Arrival[]): Arrival {
    const { standby } = this.#extent
    if (standby === 1 || this.#random.chance(standby)) return this.#random.pick(arrivals)
    const writer = this.#workers.find((worker) => worker.outcome() !== undefined)
    return arrivals.find(({ worker }) => worker === writer?.id) ?? this.#random.pick(arrivals)
  }

  async #pass(arrival: Arrival): Promise<void> {
    const { worker, at, what } = arrival
    if (at === 'turn') {
      const spell = await this.#faults.turn(this.#db.sql)
      if (spell) this.#note(`for a while the node shows ${spell}`)
      if (this.#workers.length > 1) await this.#beat()
      if (this.#random.chance(LOOKED_AT)) await this.#look()
    }
    if (at === 'node') {
      const orders = Array.from({ length: arrival.requests ?? 1 }, () => this.#faults.node())
      const told = orders.map(({ fault, view }) => `${fault} ${shown(view)}`).join(', ')
      this.#note(`worker ${worker} at ${at} ${what}: ${told}`)
      return this.#gates.pass(worker, orders)
    }
    const order = at === 'database' ? this.#faults.database() : 'pass'
    this.#note(`worker ${worker} at ${at} ${what}: ${order}`)
    this.#gates.pass(worker, order)
  }

  #grow(blocks: number): void {
    for (let i = 0; i < blocks; i++) {
      this.#chain.mine()
      if (!this.#random.chance(this.#extent.reorganised)) continue
      const depth = this.#chain.reorganise()
      this.#note(`reorganised ${depth} deep, now ${shown(this.#chain.view())}`)
    }
    this.#note(`mined, now ${shown(this.#chain.view())}`)
  }

  /** Between two turns the tables match the branch that was read, whatever it is. */
  async #look(): Promise<void> {
    this.#faults.count('looks at the tables')
    const found = await differencesNow(this.#db, this.#chain)
    this.#surprises.push(...found.map((each) => `after choice ${this.#choices}: ${each}`))
  }

  /** The workers' hearts, which would beat by the clock. */
  async #beat(): Promise<void> {
    if (performance.now() - this.#beatAt < BEAT_MS) return
    this.#beatAt = performance.now()
    await this.#db.sql`update worker_instances set heartbeat_at = clock_timestamp()`
  }

  async #start(): Promise<void> {
    const id = this.#ids++
    this.#note(`worker ${id} starts`)
    this.#faults.count('workers started')
    this.#workers.push(await startProcess(this.#world, id))
  }

  async #cut({ worker }: Arrival): Promise<void> {
    this.#note(`worker ${worker} loses its connection to the database`)
    this.#faults.count('idle connections cut')
    await this.#workers.find(({ id }) => id === worker)?.cut()
  }

  async #kill(arrival: Arrival): Promise<void> {
    this.#note(`worker ${arrival.worker} is killed at ${arrival.at} ${arrival.what}`)
    this.#faults.count('workers killed')
    const at = this.#workers.findIndex(({ id }) => id === arrival.worker)
    const [worker] = this.#workers.splice(at, 1) as [WorkerProcess]
    this.#dead.push(worker)
    await worker.kill()
  }

  /** No more faults: the chain stands still and one worker has all the time it wants. */
  async #settle(): Promise<void> {
    this.#faults.calm()
    while (this.#chain.head.number < this.#chain.highest) this.#chain.mine()
    this.#chain.mine()
    this.#note(`calm at ${shown(this.#chain.view())}`)
    for (let turns = 0, idle = 0; idle < 3; ) {
      this.#choices += 1
      const [arrival, other] = await this.#gates.quiet()
      if (other) await this.#kill(other)
      else if (arrival === undefined) await this.#start()
      else {
        if (arrival.at === 'turn') {
          const outcome = this.#workers[0]?.outcome()
          const done = outcome?.kind === 'idle' && outcome.state.processedHash === this.#chain.head.hash
          idle = done ? idle + 1 : 0
          if (turns++ > 800) throw new Error(`does not catch up: ${JSON.stringify(outcome)}`)
        }
        await this.#pass(arrival)
      }
    }
    await this.#gates.quiet()
  }

  async #inspect(): Promise<string[]> {
    const { sql } = this.#db
    const deltas = await readDeltas(sql)
    for (const { status } of deltas) this.#faults.count(`deltas ${status}`)
    const [state] = await sql<{ last: string }[]>`select last_stream_seq as last from worker_state`
    const problems = [
      ...(await illegalChanges(sql)),
      ...illegalHistories(deltas),
      ...(Number(state?.last) === deltas.length
        ? []
        : [`last_stream_seq is ${state?.last} of ${deltas.length}`]),
    ]
    await this.close()
    return [
      ...problems,
      ...(await differences(this.#db, this.#chain, this.#seed % this.#extent.scratchEvery === 0)),
    ]
  }

  #met(worker: number, error: unknown): void {
    this.#note(`worker ${worker} met ${nameOf(error)}`)
    if (isOfTheWorld(error)) return
    this.#surprises.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }

  #report(problems: readonly string[]): Report {
    const { reorganisations, deepest, head, blocks } = this.#chain
    const counts = {
      choices: this.#choices,
      blocks: blocks.size,
      entities: head.state.size,
      reorganisations,
      deepest,
      ...Object.fromEntries(this.#faults.counts),
    }
    return { seed: this.#seed, problems: [...this.#surprises, ...problems], trace: this.#trace, counts }
  }

  #note(text: string): void {
    this.#trace.push(`${this.#choices} ${text}`)
  }
}
