import type { StreamDelta } from './outbox-reader.ts'

/** Buffer of the newest deltas, in the batches they were read in: readers share a batch, so that it is encoded once. */
export class RecentDeltas {
  readonly #size: number
  #batches: (readonly StreamDelta[])[] = []
  #count = 0
  #from = 0
  #to = 0

  /** @param size Deltas to hold at least, once that many were added. */
  constructor(size: number) {
    this.#size = size
  }

  /** Everything after this number is in memory. */
  get from(): number {
    return this.#from
  }

  /** Newest number. */
  get to(): number {
    return this.#to
  }

  /** Clears the buffer; the next batch follows `position`. */
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
      if (this.#count - old.length < this.#size) break
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
