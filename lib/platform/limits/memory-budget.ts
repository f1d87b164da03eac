import { type Overload, overloaded } from '#lib/protocol/overload.ts'
import type { Principal } from './principal.ts'
import type { UsageLedger } from './usage-ledger.ts'

export interface Reservation {
  /** @throws {Failure} `overloaded` when the budget, or the client's part of it, has no room for these bytes. */
  add(bytes: number): void
  /** Releases all bytes; nothing is added afterwards. */
  release(): void
}

/** Part of one client. */
const CLIENT_SHARE = 1 / 16
/** Reservations up to this size may use the part of the budget that larger ones may not. */
const SMALL_BYTES = 256 * 1024
const LARGE_SHARE = 7 / 8

/** Bounds the bytes that requests hold in this process, in all and of each client. */
export class MemoryBudget {
  readonly #ledger: UsageLedger
  readonly #maxBytes: number
  #reserved = 0

  constructor(ledger: UsageLedger, maxBytes: number) {
    this.#ledger = ledger
    this.#maxBytes = maxBytes
  }

  /**
   * @param principal May reserve a sixteenth of the budget; undefined may reserve all of it.
   * @param overload Reason of the failure beyond that.
   */
  reserve(principal: Principal | undefined, overload: Overload): Reservation {
    let own = 0
    const change = (bytes: number) => {
      own += bytes
      this.#reserved += bytes
      this.#ledger.hold(principal, 'bytes', bytes)
    }
    return {
      add: (bytes) => {
        const max = own + bytes > SMALL_BYTES ? this.#maxBytes * LARGE_SHARE : this.#maxBytes
        const ofClient = this.#ledger.currentLevel(principal, 'bytes') + bytes
        if (this.#reserved + bytes > max) throw overloaded(overload)
        if (principal !== undefined && ofClient > this.#maxBytes * CLIENT_SHARE) throw overloaded(overload)
        change(bytes)
      },
      release: () => change(-own),
    }
  }
}
