import type { CompileOutcome } from './compile-body.ts'

/** Bookkeeping of one entry beside its texts; rough, but it keeps many tiny entries from being free. */
const ENTRY_BYTES = 256

/** Outcomes by key; the least recently used go first when they weigh too much together. */
export class OutcomeCache {
  readonly #limit: number
  readonly #entries = new Map<string, { outcome: CompileOutcome; bytes: number }>()
  #bytes = 0

  constructor(limitBytes: number) {
    this.#limit = limitBytes
  }

  get(key: string): CompileOutcome | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.outcome
  }

  set(key: string, outcome: CompileOutcome): void {
    this.#remove(key)
    const bytes = ENTRY_BYTES + JSON.stringify(outcome).length
    this.#entries.set(key, { outcome, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limit) break
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }
}
