import { hexToBytes } from 'viem/utils'
import { ByteLru } from '#lib/platform/cache/byte-lru.ts'
import type { CodeArtifact } from '#lib/protocol/artifact.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import type { Coroutine } from '../allowance.ts'
import type { Call } from '../plan.ts'
import { RunExhausted } from '../run.ts'
import { compileStep } from '../sequence/loop.ts'
import {
  BudgetExceeded,
  type CallOutcome,
  Declined,
  Failed,
  type SpecialisedStep,
  type TranslatedContract,
  type Translators,
} from '../types.ts'
import { contractAgrees, type Probe, probe, stepAgrees } from './self-check.ts'

/** Transformations with arguments, each counted once while it is cached. */
export interface EngineCounters {
  /** Run as specialised steps. */
  specialised: number
  /** Run as translated contracts. */
  translated: number
  /** Run by the exact engine. */
  exact: number
  /** Specialised steps rejected because they differed from the exact engine. */
  specialisedWrong: number
  /** Translated contracts rejected because they differed from the exact engine. */
  translatedWrong: number
  /** Not checked: the exact engine ran out of gas. */
  unchecked: number
}

export function noCounts(): EngineCounters {
  return {
    specialised: 0,
    translated: 0,
    exact: 0,
    specialisedWrong: 0,
    translatedWrong: 0,
    unchecked: 0,
  }
}

export function addCounts(to: EngineCounters, more: EngineCounters): void {
  for (const key of Object.keys(to) as (keyof EngineCounters)[]) to[key] += more[key]
}

/** Facts of one call; absent fields were not computed yet. */
interface Entry {
  /** Null when the exact engine ran out of gas. */
  readonly probes?: readonly Probe[] | null
  /** Null when there is none, or it differed from the exact engine. */
  readonly step?: SpecialisedStep | null
  readonly contract?: TranslatedContract | null
}

export interface TranslationCacheOptions extends Translators {
  /** Whether translations are compared with the exact engine before use. */
  readonly checked: boolean
  /** Failures that use up all gas are reverts without data. */
  readonly withoutGas: boolean
  /** Size limit in bytes. */
  readonly bytes: number
}

const FAILURE: CallOutcome = { status: 'reverted', data: new Uint8Array() }

/** LRU cache of translations, each compared with the exact engine once. */
export class TranslationCache {
  readonly #options: TranslationCacheOptions
  readonly #entries: ByteLru<string, Entry>
  readonly #contracts: ByteLru<Hash, { readonly contract: TranslatedContract | undefined }>

  #counters = noCounts()

  constructor(options: TranslationCacheOptions) {
    this.#options = options
    this.#entries = new ByteLru(options.bytes / 2)
    this.#contracts = new ByteLru(options.bytes / 2)
  }

  /** Counters since the last call. */
  takeCounts(): EngineCounters {
    const counted = this.#counters
    this.#counters = noCounts()
    return counted
  }

  /** The specialised step of a call; null when there is none. */
  *stepOf(call: Call): Coroutine<SpecialisedStep | null> {
    const cachedStep = this.#entries.get(call.key)?.step
    if (cachedStep !== undefined) return cachedStep
    const step = yield* this.#makeStep(call)
    this.#update(call.key, { step })
    return step
  }

  /** The translated contract of a call, where it is cached. */
  knownContract({ key }: Call): TranslatedContract | undefined {
    return this.#entries.get(key)?.contract ?? undefined
  }

  /** The translated contract of a call; null when the exact engine has to run it. */
  *contractOf(call: Call): Coroutine<TranslatedContract | null> {
    const cachedContract = this.#entries.get(call.key)?.contract
    if (cachedContract !== undefined) return cachedContract
    const contract = yield* this.#makeContract(call)
    this.#counters[contract === null ? 'exact' : 'translated'] += 1
    this.#update(call.key, { contract })
    return contract
  }

  /** Outcome without gas of a call of a contract that threw; undefined where the exact engine has to run it. */
  outcomeOf(error: unknown): CallOutcome | undefined {
    if (error instanceof BudgetExceeded) throw new RunExhausted('steps')
    if (!(error instanceof Declined)) throw error
    return this.#options.withoutGas && error instanceof Failed ? FAILURE : undefined
  }

  /** Stops using a step that differed from the exact engine in a run. */
  rejectStep(call: Call): void {
    this.#counters.specialisedWrong += 1
    this.#update(call.key, { step: null })
  }

  /** Stops using a contract that declined. */
  rejectContract(call: Call): void {
    this.#update(call.key, { contract: null })
  }

  /** Translates code without a check; undefined when it is too large. */
  translate(code: CodeArtifact): TranslatedContract | undefined {
    const entry = this.#contracts.get(code.contentHash)
    if (entry) return entry.contract
    const contract = this.#options.translate?.(hexToBytes(code.runtime))
    // A translation is several times its bytecode.
    this.#contracts.set(code.contentHash, { contract }, code.runtime.length * 10 + 500)
    return contract
  }

  *#makeStep(call: Call): Coroutine<SpecialisedStep | null> {
    const { specialise, checked } = this.#options
    if (specialise === undefined) return null
    const specialisation = specialise(hexToBytes(call.code.runtime), call.args)
    if ('declined' in specialisation) return null
    if (checked) {
      const probes = yield* this.#probesOf(call)
      if (probes === null) return null
      if (!stepAgrees(compileStep(specialisation.source), probes)) {
        this.#counters.specialisedWrong += 1
        return null
      }
    }
    this.#counters.specialised += 1
    return specialisation
  }

  *#makeContract(call: Call): Coroutine<TranslatedContract | null> {
    const contract = this.translate(call.code)
    if (contract === undefined) return null
    if (!this.#options.checked) return contract
    const probes = yield* this.#probesOf(call)
    if (probes === null) return null
    if (contractAgrees(contract, probes)) return contract
    this.#counters.translatedWrong += 1
    return null
  }

  *#probesOf(call: Call): Coroutine<readonly Probe[] | null> {
    const cachedProbes = this.#entries.get(call.key)?.probes
    if (cachedProbes !== undefined) return cachedProbes
    const probes = yield* probe(call)
    if (probes === null) this.#counters.unchecked += 1
    this.#update(call.key, { probes })
    return probes
  }

  #update(key: string, news: Entry): void {
    const entry = { ...this.#entries.get(key), ...news }
    this.#entries.set(key, entry, bytesOf(key, entry))
  }
}

/** Approximate size of an entry: its text and the compiled code. */
function bytesOf(key: string, { step, probes }: Entry): number {
  return 300 + key.length + 10 * (step?.source.length ?? 0) + (probes?.length ?? 0) * 400
}
