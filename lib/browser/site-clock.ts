import { createSiteClock } from '#lib/client/site-clock.ts'

/** The page's only clock for what the site dates: a reader's own may be hours or days off. */
export const siteClock = createSiteClock()

/** `fetch` of this site, which sets the clock. */
export async function fetchFromSite(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init)
  siteClock.note(response.headers)
  return response
}
