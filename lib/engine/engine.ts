import { ByteLru } from '../cache/byte-lru.ts'
import type { Hash } from '../domain/entity.ts'
import type { Call } from './plan/call-list.ts'
import { makePlan, type Plan, type PlannedCondition } from './plan/plan.ts'
import type { ConnectorParts, ExactEngine, ExactOutcome, RunLimits, RunOutcome, RunRequest } from './run.ts'
import { Sequences } from './sequence/sequences.ts'
import type { EngineCounters } from './steps/counters.ts'
import { type KnownStep, StepBook } from './steps/step-book.ts'
import type { Translators } from './steps/translators.ts'
import { RunDeclined, RunExhausted, RunReverted } from './stop.ts'
import { Conditions, conditionKey, type KnownVerdict } from './walk/conditions.ts'
import { walk } from './walk/walk.ts'
import { Allowance, type Question, type Work } from './work.ts'

export interface EngineOptions {
  /**
   * Answers what no translation can, and checks translations at first use. Without it translations are used as they
   * are, and what they cannot do is declined.
   */
  readonly exact?: ExactEngine | undefined
  /** The ways from bytecode to JavaScript; without them every step is left to the exact engine. */
  readonly translators: Translators
  /** Bytes that all caches may take together. */
  readonly cacheBytes?: number
  /** Steps up to which all values of a sequence are kept; unset, 4 million. Beyond, ways are taken that reach further. */
  readonly tableSteps?: number
}

/** What one engine found out about the parts of a run, for another one that cannot check for itself. */
export interface Lessons {
  readonly steps: readonly KnownStep[]
  readonly verdicts: readonly KnownVerdict[]
  /** How many dimensions the expanded connector has. */
  readonly positions: number
  /** Nothing is missing to make the run without an exact engine, unless it reverts. */
  readonly complete: boolean
}

/** Runs connectors as the chain would. One thing at a time. */
export interface Engine {
  run(request: RunRequest, limits: RunLimits): Promise<RunOutcome>
  /** How a run reverts; undefined when it does not, or cannot be made. */
  locate(request: RunRequest, limits: RunLimits): Promise<RunReverted | undefined>
  /** A run at once; declines what would have to ask the exact engine. */
  runNow(request: RunRequest, limits: RunLimits): RunOutcome
  /** Translates and checks what runs of a connector use, so that the first one need not. */
  prepare(connector: ConnectorParts, limits: RunLimits): Promise<void>
  lessons(connector: ConnectorParts): Lessons
  learn(lessons: Lessons): void
  /** What was counted since this was asked last. */
  takeCounts(): EngineCounters
  /** Bytes that caches hold, roughly. */
  cacheBytes(): number
}

const CACHE_BYTES = 128 * 1024 * 1024
/** 16 MB of values. */
const TABLE_STEPS = 4_194_303

/** An engine with caches of its own, which lives as long as its thread. */
export function createEngine(options: EngineOptions): Engine {
  const { exact, translators, cacheBytes = CACHE_BYTES, tableSteps = TABLE_STEPS } = options
  const book = new StepBook({ ...translators, checked: exact !== undefined, bytes: cacheBytes / 4 })
  const sequences = new Sequences({
    book,
    loopBytes: cacheBytes / 16,
    prefixBytes: cacheBytes / 2,
    tableSteps,
  })
  const conditions = new Conditions({ book, exact: exact !== undefined, bytes: cacheBytes / 16 })
  const plans = new ByteLru<Hash, Plan>(cacheBytes / 8)

  const planOf = ({ root, artifacts }: ConnectorParts): Plan => {
    const known = plans.get(root)
    if (known) return known
    const plan = makePlan(root, artifacts)
    if (plan.bytes !== undefined) plans.set(root, plan, plan.bytes)
    return plan
  }

  function* work(request: RunRequest, allowance: Allowance): Work<RunOutcome> {
    const particles = yield* walk(planOf(request), request, { sequences, conditions }, allowance)
    return { status: 'returned', particles }
  }

  function* preparation(connector: ConnectorParts, allowance: Allowance): Work<void> {
    const { nodes, bytes } = planOf(connector)
    // Too large to be known beforehand.
    if (bytes === undefined) return
    for (const { calls, condition } of nodes) {
      if (condition) yield* conditions.verdictOf(condition, allowance)
      for (const call of calls?.calls ?? []) {
        allowance.block(1)
        yield* book.stepOf(call)
      }
    }
  }

  async function answered<T>(working: Work<T>, allowance: Allowance): Promise<T> {
    let next = working.next()
    while (!next.done) {
      const question = next.value
      next = working.next(exact ? await put(exact, question, allowance) : decline(question))
    }
    return next.value
  }

  const decline = ({ without }: Question): never => {
    throw new RunDeclined(without)
  }

  const run = (request: RunRequest, limits: RunLimits): Promise<RunOutcome> => {
    const allowance = new Allowance(limits)
    return answered(work(request, allowance), allowance)
  }

  return {
    run: (request, limits) => run(request, limits).catch(outcomeOf),
    locate: async (request, limits) => {
      try {
        await run(request, limits)
      } catch (error) {
        if (error instanceof RunReverted) return error
        outcomeOf(error)
      }
      return undefined
    },
    runNow: (request, limits) => {
      try {
        const next = work(request, new Allowance(limits)).next()
        return next.done ? next.value : decline(next.value)
      } catch (error) {
        return outcomeOf(error)
      }
    },
    prepare: async (connector, limits) => {
      const allowance = new Allowance(limits)
      // What cannot be known before is the run's to say.
      await answered(preparation(connector, allowance), allowance).catch(outcomeOf)
    },
    lessons: (request) => {
      const calls = new Map<string, Call>()
      const asked = new Map<string, PlannedCondition>()
      const plan = planOf(request)
      // Too large to be worth a lesson.
      if (plan.bytes === undefined) return { steps: [], verdicts: [], positions: Infinity, complete: false }
      let positions = 0
      for (const node of plan.nodes) {
        positions += 1
        for (const call of node.calls?.calls ?? []) calls.set(call.key, call)
        if (node.condition) asked.set(conditionKey(node.condition), node.condition)
      }
      const steps = book.known(calls.values())
      const verdicts = conditions.known(asked.values())
      const complete = steps.length === calls.size && verdicts.length === asked.size
      return { steps, verdicts, positions, complete }
    },
    learn: ({ steps, verdicts }) => {
      book.learn(steps)
      conditions.learn(verdicts)
    },
    takeCounts: () => book.takeCounts(),
    cacheBytes: () => book.bytes + sequences.bytes + conditions.bytes + plans.bytes,
  }
}

async function put(
  exact: ExactEngine,
  { code, calldata, ownGas }: Question,
  allowance: Allowance,
): Promise<ExactOutcome> {
  const outcome = await exact.call({ code, calldata, gas: ownGas ?? allowance.gas })
  if (ownGas === undefined) allowance.gas -= outcome.gasUsed
  return outcome
}

function outcomeOf(error: unknown): RunOutcome {
  if (error instanceof RunReverted) return { status: 'reverted', revertData: error.revertData }
  if (error instanceof RunExhausted) {
    const { limit, bytes } = error
    return { status: 'exhausted', limit, ...(bytes !== undefined && { bytes }) }
  }
  if (error instanceof RunDeclined) return { status: 'declined', reason: error.reason }
  throw error
}
