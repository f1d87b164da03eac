import { processStorage } from '#lib/platform/telemetry/process-storage.ts'

/** Whether the data of the page being served could be read. */
export interface PageReading {
  failed: boolean
}

/** Serves a page; a failed read sets `reading.failed`. */
export function servingPage<T>(reading: PageReading, serve: () => T): T {
  return processStorage<PageReading>('pageReadings').run(reading, serve)
}

/** Records that the data of the page being served could not be read. */
export function noteUnreadPage(): void {
  const reading = processStorage<PageReading>('pageReadings').getStore()
  if (reading !== undefined) reading.failed = true
}
