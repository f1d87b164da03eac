import type { BrowserContext, Page } from 'playwright'

/** Records `securitypolicyviolation` events in every page that is opened from now on. */
export async function watchViolations(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const stopped: string[] = []
    Object.assign(window, { stopped })
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
      stopped.push(`${violatedDirective} ${blockedURI} ${sourceFile}`),
    )
  })
}

/** The violations recorded on a page: directive, blocked URI, source file. */
export function stoppedOn(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => (window as unknown as { stopped: readonly string[] }).stopped)
}
