/** LRU cache bounded by the byte sizes that callers state. */
export class ByteLru<Key, Value> {
  readonly #limit: number
  readonly #entries = new Map<Key, { readonly value: Value; readonly bytes: number }>()
  #bytes = 0

  /** @param limit Bytes; larger entries are not stored. */
  constructor(limit: number) {
    this.#limit = limit
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    // Maps iterate in insertion order.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** @param bytes Approximate size of key and value. */
  set(key: Key, value: Value, bytes: number): void {
    this.delete(key)
    if (bytes > this.#limit) return
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limit) break
      this.delete(oldest)
    }
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }
}
