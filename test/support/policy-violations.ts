import type { BrowserContext, Page } from 'playwright'

/** Has every page opened from now on note what its policy stops, as the page itself hears of it. */
export async function watchViolations(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const stopped: string[] = []
    Object.assign(window, { stopped })
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
      stopped.push(`${violatedDirective} ${blockedURI} ${sourceFile}`),
    )
  })
}

/** What was stopped on a page so far: directive, what it wanted, which file wanted it. */
export function stoppedOn(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => (window as unknown as { stopped: readonly string[] }).stopped)
}
