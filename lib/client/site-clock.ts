/** The site's time, whatever the clock of this machine says. */
export interface SiteClock {
  /** Takes the time of a response from its `Date` header, where that can be read. */
  note(headers: Pick<Headers, 'get'>): void
  /** Takes a time of the site, Unix milliseconds, that is not in the future. */
  noteTime(ms: number): void
  /** Unix milliseconds; by this machine's clock until the site has told its own. */
  now(): number
}

/** Counts on from the latest time that the site told. What was on its way for long, or cached, is older and changes nothing. */
export function createSiteClock(): SiteClock {
  let startedAt: number | undefined
  const noteTime = (ms: number) => {
    if (!Number.isFinite(ms)) return
    const start = ms - performance.now()
    if (startedAt === undefined || start > startedAt) startedAt = start
  }
  return {
    note: (headers) => noteTime(Date.parse(headers.get('date') ?? '')),
    noteTime,
    now: () => (startedAt === undefined ? Date.now() : startedAt + performance.now()),
  }
}
