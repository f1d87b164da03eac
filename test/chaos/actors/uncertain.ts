/**
 * A value that others keep for us: what was acknowledged last, and what answers that were lost left open. Work whose
 * answer was lost may still be done later, until the network has come to rest.
 */
export class Uncertain<T> {
  #known: T
  readonly #open = new Set<T>()
  #touched = true

  constructor(known: T) {
    this.#known = known
  }

  acknowledge(value: T): void {
    this.#known = value
    this.#touched = true
  }

  leaveOpen(value: T): void {
    this.#touched = true
    this.#open.add(value)
  }

  allows(value: T): boolean {
    return value === this.#known || this.#open.has(value)
  }

  /** Whether anybody worked on it since it was settled. */
  get touched(): boolean {
    return this.#touched
  }

  /** What it may be. */
  all(): T[] {
    return [...new Set([this.#known, ...this.#open])]
  }

  /** The network is at rest, and this is what was found. */
  settle(value: T): void {
    this.#known = value
    this.#open.clear()
    this.#touched = false
  }
}
