/**
 * Shares runs of equal work between concurrent callers. A caller joins only a run that has not begun yet, so that its
 * result is never older than its call: at most one run of a key is in flight, and one is waiting for it.
 */
export function singleFlight<T>(): (key: string, run: () => Promise<T>) => Promise<T> {
  const flights = new Map<string, { readonly running: Promise<T>; next: Promise<T> | undefined }>()

  const start = (key: string, run: () => Promise<T>): Promise<T> => {
    const flight = { running: run(), next: undefined }
    flights.set(key, flight)
    const forget = () => {
      if (flights.get(key) === flight && flight.next === undefined) flights.delete(key)
    }
    flight.running.then(forget, forget)
    return flight.running
  }

  return (key, run) => {
    const flight = flights.get(key)
    if (flight === undefined) return start(key, run)
    const begin = () => start(key, run)
    flight.next ??= flight.running.then(begin, begin)
    return flight.next
  }
}
