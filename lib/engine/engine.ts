import type { BlockFields } from '#lib/protocol/code-traits.ts'
import { Allowance, type Coroutine, type ExactQuery } from './allowance.ts'
import { makePlan, type Plan, type PlannedCondition } from './plan.ts'
import {
  type ConnectorParts,
  type ExactEngine,
  type ExactOutcome,
  RunDeclined,
  RunExhausted,
  type RunLimits,
  type RunOutcome,
  RunRefused,
  type RunRequest,
  RunReverted,
} from './run.ts'
import { Sequences } from './sequence/sequences.ts'
import { specialise } from './specialise/specialise.ts'
import { type EngineCounters, TranslationCache } from './steps/translation-cache.ts'
import { translate } from './translate/translate.ts'
import type { Translators } from './types.ts'
import { createVariations, type Variations } from './variations/variations.ts'
import { Conditions } from './walk/conditions.ts'
import { walk } from './walk/walk.ts'

export interface EngineOptions {
  /**
   * Runs what cannot be translated, and checks translations at first use. Without it translations are not checked, and
   * runs that need it are declined.
   */
  readonly exact?: ExactEngine | undefined
  /** Operations that it leaves out fall back to the exact engine. */
  readonly translators: Translators
  /** Failures that use up all gas are reverts without data, as they are to a caller with gas left. Only without `exact`. */
  readonly withoutGas?: boolean
  /** Bytes of all caches together; 128 MiB by default. */
  readonly cacheBytes?: number
  /** Steps up to which all values of a sequence are kept while it runs, 4 million by default; longer ones are swept. */
  readonly tableSteps?: number
}

/** Runs connectors with the results of the Runner contract, one call at a time. */
export interface Engine {
  run(request: RunRequest, limits: RunLimits): Promise<RunOutcome>
  /** Where and why a run reverts; undefined when it does not, or is stopped by a limit. */
  locate(request: RunRequest, limits: RunLimits): Promise<RunReverted | undefined>
  /** Synchronous run; declines where the exact engine would be needed. */
  runNow(request: RunRequest, limits: RunLimits): RunOutcome
  /**
   * Prepares synchronous runs of a connector with other numbers. Nothing is compared with an exact engine.
   *
   * @param limits Of a run that is run as an ordinary one.
   * @returns undefined when the connector is too large.
   */
  vary(connector: ConnectorParts, limits: RunLimits): Variations | undefined
  /** Counters since the last call. */
  takeCounts(): EngineCounters
}

const CACHE_BYTES = 128 * 1024 * 1024
/** 16 MB a sequence. */
const TABLE_STEPS = 4_194_303

/** Creates an engine with its own caches. */
export function createEngine(options: EngineOptions): Engine {
  const { exact, translators, cacheBytes = CACHE_BYTES, tableSteps = TABLE_STEPS } = options
  const translations = new TranslationCache({
    ...translators,
    checked: exact !== undefined,
    withoutGas: options.withoutGas === true,
    bytes: cacheBytes / 4,
  })
  const sequences = new Sequences({
    translations,
    loopBytes: cacheBytes / 16,
    tableSteps,
  })
  const conditions = new Conditions({ translations, exact: exact !== undefined, bytes: cacheBytes / 16 })

  function* planRun(
    plan: Plan,
    request: Pick<RunRequest, 'particlesCount' | 'dynamicRi'>,
    allowance: Allowance,
  ): Coroutine<RunOutcome> {
    const particles = yield* walk(plan, request, { sequences, conditions }, allowance)
    return { status: 'returned', particles }
  }

  function* runOf(request: RunRequest, allowance: Allowance): Coroutine<RunOutcome> {
    return yield* planRun(makePlan(request.root, request.artifacts), request, allowance)
  }

  /** Runs without an exact engine. */
  const completeNow = (coroutine: Coroutine<RunOutcome>): RunOutcome => {
    try {
      const next = coroutine.next()
      return next.done ? next.value : decline(next.value)
    } catch (error) {
      return outcomeOf(error)
    }
  }

  /** Whether a condition holds, as far as that is known without an exact engine. */
  const holdsNow = (condition: PlannedCondition, limits: RunLimits): boolean => {
    try {
      const next = conditions.verdictOf(condition, new Allowance(limits)).next()
      return next.done === true && next.value === 'yes'
    } catch (error) {
      outcomeOf(error)
      return false
    }
  }

  async function complete<T>(coroutine: Coroutine<T>, allowance: Allowance, block?: BlockFields): Promise<T> {
    let next = coroutine.next()
    while (!next.done) {
      const query = next.value
      next = coroutine.next(exact ? await callExact(exact, query, allowance, block) : decline(query))
    }
    return next.value
  }

  const decline = ({ declineAs }: ExactQuery): never => {
    throw new RunDeclined(declineAs)
  }

  const run = (request: RunRequest, limits: RunLimits, locates = false): Promise<RunOutcome> => {
    const allowance = new Allowance(limits, locates)
    return complete(runOf(request, allowance), allowance, request.block)
  }

  return {
    run: (request, limits) => run(request, limits).catch(outcomeOf),
    locate: async (request, limits) => {
      try {
        await run(request, limits, true)
      } catch (error) {
        if (error instanceof RunReverted) return error
        outcomeOf(error)
      }
      return undefined
    },
    runNow: (request, limits) => completeNow(runOf(request, new Allowance(limits))),
    vary: (connector, limits) => {
      const plan = makePlan(connector.root, connector.artifacts)
      if (!Array.isArray(plan.nodes)) return undefined
      const conditionsHold = [...plan.nodes].every(
        ({ condition }) => condition === undefined || holdsNow(condition, limits),
      )
      const runPlan = (varied: Plan, particlesCount: number) =>
        completeNow(planRun(varied, { particlesCount, dynamicRi: [] }, new Allowance(limits)))
      return createVariations({
        connector,
        plan,
        specialise: translators.specialise,
        conditionsHold,
        runPlan,
      })
    },
    takeCounts: () => translations.takeCounts(),
  }
}

async function callExact(
  exact: ExactEngine,
  { code, calldata, ownGas }: ExactQuery,
  allowance: Allowance,
  block: BlockFields | undefined,
): Promise<ExactOutcome> {
  const outcome = await exact.call({
    code,
    calldata,
    gas: ownGas ?? allowance.gas,
    block,
    check: () => allowance.check(),
  })
  if (ownGas === undefined) allowance.gas -= outcome.gasUsed
  return outcome
}

function outcomeOf(error: unknown): RunOutcome {
  if (error instanceof RunReverted) return { status: 'reverted', revertData: error.revertData }
  if (error instanceof RunRefused) return { status: 'refused', ...error.unknowable }
  if (error instanceof RunExhausted) {
    const { limit, bytes } = error
    return { status: 'exhausted', limit, ...(bytes !== undefined && { bytes }) }
  }
  if (error instanceof RunDeclined) return { status: 'declined', reason: error.reason }
  throw error
}

/** The translators that are used outside tests. */
export const translators: Translators = { specialise, translate }
