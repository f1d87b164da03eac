import { AsyncLocalStorage } from 'node:async_hooks'

/** Whether a page that is being served got what it shows. */
export interface PageReading {
  failed: boolean
}

declare global {
  // Pages are bundled apart from the server that serves them; the two share no module, only the process.
  var weftPageReadings: AsyncLocalStorage<PageReading> | undefined
}

const readings = (): AsyncLocalStorage<PageReading> => {
  globalThis.weftPageReadings ??= new AsyncLocalStorage()
  return globalThis.weftPageReadings
}

/** Serves a page; what it could not read is noted in `reading`. */
export function servingPage<T>(reading: PageReading, serve: () => T): T {
  return readings().run(reading, serve)
}

/** Notes that the page which is being served shows nothing but that its data could not be read. */
export function noteUnreadPage(): void {
  const reading = readings().getStore()
  if (reading !== undefined) reading.failed = true
}
