import { hexToBytes } from 'viem/utils'
import { ByteLru } from '../../cache/byte-lru.ts'
import type { CodeArtifact } from '../../domain/artifact.ts'
import type { Hash } from '../../domain/entity.ts'
import type { Call } from '../plan/call-list.ts'
import { compileStep } from '../sequence/loop.ts'
import type { SpecialisedStep, TranslatedContract } from '../types.ts'
import type { Work } from '../work.ts'
import { type EngineCounters, noCounts } from './counters.ts'
import { contractAgrees, formAgrees, type Probe, probe, stepAgrees } from './self-check.ts'
import type { Translators } from './translators.ts'

/** What is known of one call; what is absent was not asked yet. */
interface Entry {
  /** What the exact engine answered; null when it could not within its gas. */
  readonly probes?: readonly Probe[] | null
  /** Null when there is none to be trusted. */
  readonly step?: SpecialisedStep | null
  readonly contract?: TranslatedContract | null
}

/** A step of a call that was compared with the exact engine: to be used elsewhere without asking again. */
export interface KnownStep extends SpecialisedStep {
  readonly key: string
}

export interface StepBookOptions extends Translators {
  /** Compare with the exact engine before anything is used. */
  readonly checked: boolean
  /** Bytes of translations that are kept. */
  readonly bytes: number
}

/** Translations of calls: made once, compared with the exact engine once, then remembered. */
export class StepBook {
  readonly #options: StepBookOptions
  readonly #entries: ByteLru<string, Entry>
  readonly #contracts: ByteLru<Hash, { readonly contract: TranslatedContract | undefined }>

  #counters = noCounts()

  constructor(options: StepBookOptions) {
    this.#options = options
    this.#entries = new ByteLru(options.bytes / 2)
    this.#contracts = new ByteLru(options.bytes / 2)
  }

  get bytes(): number {
    return this.#entries.bytes + this.#contracts.bytes
  }

  /** What was counted since this was asked last. */
  takeCounts(): EngineCounters {
    const counted = this.#counters
    this.#counters = noCounts()
    return counted
  }

  /** The specialised step of a call; null when it has to be asked another way. */
  *stepOf(call: Call): Work<SpecialisedStep | null> {
    const known = this.#entries.get(call.key)?.step
    if (known !== undefined) return known
    const step = yield* this.#makeStep(call)
    this.#note(call.key, { step })
    return step
  }

  /** The translated contract of a call, if it was asked for before. */
  knownContract({ key }: Call): TranslatedContract | undefined {
    return this.#entries.get(key)?.contract ?? undefined
  }

  /** The translated contract of a call; null when only the exact engine can do it. */
  *contractOf(call: Call): Work<TranslatedContract | null> {
    const known = this.#entries.get(call.key)?.contract
    if (known !== undefined) return known
    const contract = yield* this.#makeContract(call)
    this.#counters[contract === null ? 'exact' : 'translated'] += 1
    this.#note(call.key, { contract })
    return contract
  }

  /** The step came out wrong where it was used. */
  distrustStep(call: Call): void {
    this.#counters.specialisedWrong += 1
    this.#note(call.key, { step: null })
  }

  /** The contract met what it cannot do. */
  dropContract(call: Call): void {
    this.#counters.notTranslated += 1
    this.#note(call.key, { contract: null })
  }

  /** A translation of any code, compared with nothing. */
  translate(code: CodeArtifact): TranslatedContract | undefined {
    const known = this.#contracts.get(code.contentHash)
    if (known) return known.contract
    const contract = this.#options.translate?.(hexToBytes(code.runtime))
    // A translation is several times its bytecode.
    this.#contracts.set(code.contentHash, { contract }, code.runtime.length * 10 + 500)
    return contract
  }

  /** Takes over what another book found out. */
  learn(steps: readonly KnownStep[]): void {
    for (const { key, ...step } of steps) this.#note(key, { step })
  }

  /** What this book knows of some calls. */
  known(calls: Iterable<Call>): KnownStep[] {
    const found: KnownStep[] = []
    for (const { key } of calls) {
      const step = this.#entries.get(key)?.step
      if (step) found.push({ key, ...step })
    }
    return found
  }

  *#makeStep(call: Call): Work<SpecialisedStep | null> {
    const { specialise, checked } = this.#options
    if (specialise === undefined) return null
    const made = specialise(hexToBytes(call.code.runtime), call.args)
    if ('declined' in made) {
      this.#counters.notSpecialised += 1
      return null
    }
    if (checked) {
      const probes = yield* this.#probesOf(call)
      if (probes === null) return null
      if (!stepAgrees(compileStep(made.source), probes) || !formAgrees(made.form, probes)) {
        this.#counters.specialisedWrong += 1
        return null
      }
    }
    this.#counters.specialised += 1
    return made
  }

  *#makeContract(call: Call): Work<TranslatedContract | null> {
    const contract = this.translate(call.code)
    if (contract === undefined) {
      this.#counters.notTranslated += 1
      return null
    }
    if (!this.#options.checked) return contract
    const probes = yield* this.#probesOf(call)
    if (probes === null) return null
    if (contractAgrees(contract, probes)) return contract
    this.#counters.translatedWrong += 1
    return null
  }

  *#probesOf(call: Call): Work<readonly Probe[] | null> {
    const known = this.#entries.get(call.key)?.probes
    if (known !== undefined) return known
    const probes = yield* probe(call)
    if (probes === null) this.#counters.unchecked += 1
    this.#note(call.key, { probes })
    return probes
  }

  #note(key: string, news: Entry): void {
    const entry = { ...this.#entries.get(key), ...news }
    this.#entries.set(key, entry, bytesOf(key, entry))
  }
}

/** Text and what the machine makes of it, roughly. */
function bytesOf(key: string, { step, probes }: Entry): number {
  return 300 + key.length + 10 * (step?.source.length ?? 0) + (probes?.length ?? 0) * 400
}
