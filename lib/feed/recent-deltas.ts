import type { StreamDelta } from './read-outbox.ts'

/**
 * The newest deltas in memory, as the batches in which they came. Readers in step share a batch, so that whoever
 * encodes one encodes it once.
 */
export class RecentDeltas {
  readonly #keep: number
  #batches: (readonly StreamDelta[])[] = []
  #count = 0
  #from = 0
  #to = 0

  /** @param keep Deltas to hold at least, once that many have come. */
  constructor(keep: number) {
    this.#keep = keep
  }

  /** Everything after this number is in memory. */
  get from(): number {
    return this.#from
  }

  /** Newest number. */
  get to(): number {
    return this.#to
  }

  /** Forgets all and goes on after `position`. */
  restart(position: number): void {
    this.#batches = []
    this.#count = 0
    this.#from = position
    this.#to = position
  }

  /** @param batch Ascending, all newer than what is here. */
  add(batch: readonly StreamDelta[]): void {
    const last = batch.at(-1)
    if (last === undefined) return
    this.#batches.push(batch)
    this.#count += batch.length
    this.#to = last.streamSeq
    let dropped = 0
    for (const old of this.#batches) {
      if (this.#count - old.length < this.#keep) break
      this.#count -= old.length
      this.#from = (old.at(-1) as StreamDelta).streamSeq
      dropped += 1
    }
    if (dropped > 0) this.#batches.splice(0, dropped)
  }

  /** The next batch after `position`, empty when there is none; undefined when it is not in memory any more. */
  after(position: number): readonly StreamDelta[] | undefined {
    if (position < this.#from) return undefined
    if (position >= this.#to) return NONE
    const batch = this.#batches[this.#indexAfter(position)] as readonly StreamDelta[]
    return (batch[0] as StreamDelta).streamSeq > position
      ? batch
      : batch.filter(({ streamSeq }) => streamSeq > position)
  }

  /** First batch that ends after `position`. */
  #indexAfter(position: number): number {
    let low = 0
    let high = this.#batches.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (((this.#batches[middle] as readonly StreamDelta[]).at(-1) as StreamDelta).streamSeq > position)
        high = middle
      else low = middle + 1
    }
    return low
  }
}

const NONE: readonly StreamDelta[] = []
