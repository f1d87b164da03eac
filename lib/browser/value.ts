/** State with subscribers. */
export interface Readable<T> {
  readonly getState: () => T
  readonly subscribe: (listener: () => void) => () => void
}

export interface Value<T> extends Readable<T> {
  readonly setState: (next: T) => void
}

/** The one kind of store of the browser: a value that changes only as a whole. */
export function createValue<T>(initial: T): Value<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    getState: () => value,
    setState(next) {
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
