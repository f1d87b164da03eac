import { Failure } from '../../lib/domain/failure.ts'
import { WriterLockLost } from '../../lib/feed/writer.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { illegalChanges, illegalHistories, readDeltas, startAudit } from './audit.ts'
import { Chain, FINALIZED_DEPTH, type View } from './chain.ts'
import { type DatabaseOrder, REFUSAL_CODE } from './database-connection.ts'
import { type Arrival, Gates } from './gates.ts'
import type { NodeHabits } from './node.ts'
import type { NodeOrder } from './node-connection.ts'
import { differences } from './oracle.ts'
import { Random } from './random.ts'
import { type Audience, startAudience } from './readers.ts'
import { startProcess, type WorkerProcess, type World } from './worker-process.ts'

/** What happened in one run, and what was wrong at its end. */
export interface Report {
  readonly seed: number
  /** Everything that differs from what must be; empty when all is well. */
  readonly problems: readonly string[]
  /** What the driver did, the newest last. */
  readonly trace: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

const REORGANISED = 0.05
const NODE_FAULT = 0.05

/** Runs one random history with faults, all drawn from the seed, and looks at what is left. */
export const simulate = async (seed: number): Promise<Report> => {
  const db = await createTestDatabase()
  const run = new Run(seed, db)
  try {
    return await run.run()
  } finally {
    await run.close()
    await db.close()
  }
}

class Run {
  readonly #seed: number
  readonly #db: TestDatabase
  readonly #random: Random
  readonly #chain: Chain
  readonly #world: World
  readonly #gates = new Gates()
  readonly #audience: Audience
  readonly #workers: WorkerProcess[] = []
  readonly #dead: WorkerProcess[] = []
  readonly #trace: string[] = []
  readonly #counts = new Map<string, number>()
  readonly #surprises: string[] = []
  readonly #target: number
  #stray: View | undefined
  /** While it lasts the node shows nothing else. */
  #spell: { readonly view: View; turns: number } | undefined
  #calm = false
  #actions = 0
  #ids = 0

  constructor(seed: number, db: TestDatabase) {
    this.#seed = seed
    this.#db = db
    this.#random = new Random(seed)
    this.#audience = startAudience(db, seed)
    this.#chain = new Chain(this.#random.fork())
    this.#target = this.#random.between(120, 220)

    const habits: NodeHabits = {
      logRange: this.#random.pick([1, 100, 10_000]),
      tags: this.#random.chance(0.7),
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
      nowMs: () => 1_800_000_000_000 + this.#actions,
      onError: (worker, error) => this.#met(worker, error),
      onUnverified: (names) => this.#surprises.push(`not verified: ${names.join(', ')}`),
    }
  }

  async run(): Promise<Report> {
    await startAudit(this.#db.sql)
    // What lies there when the worker first comes is read by ranges.
    this.#grow(this.#random.between(0, 100))
    try {
      while (this.#chain.head.number < this.#target) await this.#act()
      await this.#settle()
    } catch (error) {
      this.#surprises.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
      return this.#report([])
    }
    return this.#report(await this.#inspect())
  }

  async close(): Promise<void> {
    await this.#audience.close()
    this.#dead.push(...this.#workers)
    await Promise.all(this.#workers.splice(0).map((worker) => worker.kill()))
    await Promise.all(this.#dead.splice(0).map((worker) => worker.gone()))
  }

  /** One choice: the chain grows, a reader reads, a worker is started or killed, or one goes on. */
  async #act(): Promise<void> {
    this.#actions += 1
    const random = this.#random
    const arrivals = await this.#gates.quiet()
    if (this.#spell === undefined && random.chance(0.025)) {
      return this.#grow(random.chance(0.01) ? random.between(20, 90) : random.between(1, 3))
    }
    if (random.chance(0.01)) return this.#audience.disturb()
    if (this.#workers.length === 0 || (this.#workers.length === 1 && random.chance(0.002)))
      return this.#start()
    const arrival = random.pick(arrivals)
    if (random.chance(0.003)) return this.#kill(arrival)
    if (arrival.at === 'turn') await this.#startSpell()
    if (arrival.at === 'turn' && this.#workers.length > 1) await this.#beat()
    this.#pass(arrival)
  }

  #pass(arrival: Arrival): void {
    const order =
      arrival.at === 'node'
        ? this.#nodeOrder()
        : arrival.at === 'database'
          ? this.#databaseOrder()
          : undefined
    const told = typeof order === 'string' ? order : order && `${order.fault} ${shown(order.view)}`
    this.#note(`worker ${arrival.worker} at ${arrival.at} ${arrival.what}${told ? `: ${told}` : ''}`)
    if (arrival.at === 'turn' && this.#spell && this.#spell.turns-- === 0) this.#spell = undefined
    this.#gates.pass(arrival.worker, order)
  }

  #grow(blocks: number): void {
    for (let i = 0; i < blocks; i++) {
      this.#chain.mine()
      if (!this.#random.chance(REORGANISED)) continue
      const depth = this.#chain.reorganise()
      this.#note(`reorganised ${depth} deep, now ${shown(this.#chain.view())}`)
    }
    this.#note(`mined, now ${shown(this.#chain.view())}`)
  }

  /** Mostly the chain as it is; now and then a node that is behind, or on a branch of its own. */
  #view(): View {
    const random = this.#random
    if (this.#calm) return this.#chain.view()
    if (this.#spell) return this.#spell.view
    if (random.chance(0.85)) return this.#chain.view()
    this.#count('answers from another view')
    if (random.chance(0.6)) return this.#chain.past.at(-random.between(1, 40)) ?? this.#chain.view()
    if (this.#stray === undefined || random.chance(0.2)) this.#stray = this.#chain.strayBranch(12)
    return this.#stray
  }

  #nodeOrder(): NodeOrder {
    const random = this.#random
    const view = this.#view()
    if (this.#calm || !random.chance(NODE_FAULT)) return { view, fault: 'none', where: 0 }
    this.#count('node faults')
    const fault = random.pick<NodeOrder['fault']>([
      'timeout',
      'unavailable',
      'rate limit',
      'one call fails',
      'one block is missing',
    ])
    return { view, fault, where: random.next() }
  }

  #databaseOrder(): DatabaseOrder {
    if (this.#calm || !this.#random.chance(0.006)) return 'pass'
    this.#count('database faults')
    return this.#random.pick<DatabaseOrder>(['error', 'cut before', 'cut after'])
  }

  /**
   * For a few turns the node shows something that no worker may follow: a chain that contradicts what is final, or
   * one that is far behind. A worker can only tell when it has something final to compare.
   */
  async #startSpell(): Promise<void> {
    const random = this.#random
    if (this.#calm || this.#spell || this.#workers.length !== 1 || !random.chance(0.04)) return
    const [row] = await this.#db.sql<{ processed: string; final: string }[]>`
      select processed_block as processed, finalized_block as final from worker_state`
    const known = Math.min(Number(row?.processed ?? 0), Number(row?.final ?? 0))
    if (known < FINALIZED_DEPTH) return
    const behind = random.chance(0.4)
    const view = behind
      ? this.#chain.viewOf(this.#chain.head.path[random.between(1, known)]!)
      : this.#chain.foreignBranch(random.between(Math.max(1, known - 50), known - 1), random.between(1, 140))
    this.#count(behind ? 'spells far behind' : 'spells against finality')
    this.#note(`for a while the node shows ${shown(view)}`)
    this.#spell = { view, turns: random.between(1, 5) }
  }

  /** The workers' heart, which would beat by the clock. */
  async #beat(): Promise<void> {
    await this.#db.sql`update worker_instances set heartbeat_at = clock_timestamp()`
  }

  async #start(): Promise<void> {
    const id = this.#ids++
    this.#note(`worker ${id} starts`)
    this.#count('workers started')
    this.#workers.push(await startProcess(this.#world, id))
  }

  async #kill(arrival: Arrival): Promise<void> {
    this.#note(`worker ${arrival.worker} is killed at ${arrival.at} ${arrival.what}`)
    this.#count('workers killed')
    const at = this.#workers.findIndex(({ id }) => id === arrival.worker)
    const [worker] = this.#workers.splice(at, 1) as [WorkerProcess]
    this.#dead.push(worker)
    await worker.kill()
  }

  /** No more faults: the chain stands still and one worker has all the time it wants. */
  async #settle(): Promise<void> {
    this.#calm = true
    this.#spell = undefined
    const highest = Math.max(...[...this.#chain.past, this.#chain.view()].map(({ head }) => head.number))
    while (this.#chain.head.number <= highest) this.#chain.mine()
    this.#note(`calm at ${shown(this.#chain.view())}`)
    for (let turns = 0, idle = 0; idle < 3; ) {
      const arrivals = await this.#gates.quiet()
      const [arrival, other] = arrivals
      if (other) await this.#kill(other)
      else if (arrival === undefined) await this.#start()
      else {
        if (arrival.at === 'turn') {
          const outcome = this.#workers[0]?.outcome()
          const done = outcome?.kind === 'idle' && outcome.state.processedHash === this.#chain.head.hash
          idle = done ? idle + 1 : 0
          if (turns++ > 2000) throw new Error(`does not catch up: ${JSON.stringify(outcome)}`)
        }
        this.#pass(arrival)
      }
    }
    await this.#gates.quiet()
  }

  async #inspect(): Promise<string[]> {
    const { sql } = this.#db
    const deltas = await readDeltas(sql)
    const all = JSON.stringify(deltas)
    const late = await this.#audience.reach(deltas.length).then(
      () => [],
      (error: Error) => [error.message],
    )
    await this.close()

    this.#counts.set('deltas', deltas.length)
    for (const { status } of deltas) this.#count(status)
    const [state] = await sql<{ last: string }[]>`select last_stream_seq as last from worker_state`
    return [
      ...(await illegalChanges(sql)),
      ...illegalHistories(deltas),
      ...(Number(state?.last) === deltas.length
        ? []
        : [`last_stream_seq is ${state?.last} of ${deltas.length}`]),
      ...late,
      ...this.#audience
        .seen()
        .flatMap((seen, i) =>
          JSON.stringify(seen) === all ? [] : [`reader ${i} saw ${seen.map((d) => d.stream_seq).join(' ')}`],
        ),
      ...(await differences(this.#db, this.#chain)),
    ]
  }

  /** Workers live with the faults that are drawn here; any other error is one of their own. */
  #met(worker: number, error: unknown): void {
    // The text of other errors names a port, which is another one in every run.
    const told = error instanceof Failure ? error.message : codeOf(error)
    this.#note(`worker ${worker} met ${told || String(error)}`)
    if (!isOfTheWorld(error))
      this.#surprises.push(error instanceof Error ? (error.stack ?? '') : String(error))
  }

  #report(problems: readonly string[]): Report {
    const { reorganisations, deepest, head } = this.#chain
    this.#counts.set('blocks', this.#chain.blocks.size)
    this.#counts.set('entities', head.state.size)
    this.#counts.set('reorganisations', reorganisations)
    this.#counts.set('deepest', deepest)
    this.#counts.set('choices', this.#actions)

    return {
      seed: this.#seed,
      problems: [...this.#surprises, ...problems],
      trace: this.#trace,
      counts: { ...Object.fromEntries(this.#counts), ...this.#audience.counts() },
    }
  }

  #count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1)
  }

  #note(text: string): void {
    this.#trace.push(`${this.#actions} ${text}`)
  }
}

const shown = ({ head, finalized }: View): string =>
  `${head.number} ${head.hash.slice(2, 8)} (final ${finalized})`

/** Also a session that somebody ended. */
const CONNECTION_ERRORS = [
  '57P01',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNRESET',
  'EPIPE',
]

const isOfTheWorld = (error: unknown): boolean => {
  if (error instanceof Failure) return error.code === 'chain_unavailable'
  if (error instanceof WriterLockLost) return true
  return [REFUSAL_CODE, ...CONNECTION_ERRORS].includes(codeOf(error))
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
