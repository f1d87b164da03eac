import type { Page } from 'playwright'

/** Texts that say nothing about where a link leads; search engines count them against a page. */
const EMPTY_LINK_TEXTS = [
  ...['click here', 'click this', 'go', 'here', 'information', 'learn more', 'link', 'more', 'more info'],
  ...['more information', 'read more', 'right here', 'see more', 'start', 'this'],
]

/**
 * Faults of a page for audits of search engines and of good practice, as sentences: title, description, canonical
 * address, indexability, link texts, and pictures whose shape or sharpness is not that of their file.
 *
 * @param page Loaded, and scrolled through if pictures further down are to count.
 */
export function missingOf(page: Page): Promise<string[]> {
  return page.evaluate((emptyTexts) => {
    const found: string[] = []
    const need = (isThere: boolean, words: string) => {
      if (!isThere) found.push(words)
    }
    const meta = (name: string) =>
      document.querySelector(`meta[name="${name}"]`)?.getAttribute('content')?.trim() ?? ''
    need(document.doctype?.name === 'html' && document.compatMode === 'CSS1Compat', 'a doctype')
    need(document.characterSet === 'UTF-8', 'a charset')
    need(document.documentElement.lang !== '', 'a language')
    need(meta('viewport').includes('width=device-width'), 'a viewport')
    need(document.title.trim().length > 3, 'a title')
    need(meta('description').length > 20, 'a description')
    need(!/noindex|none/.test(meta('robots')), 'the leave to be indexed')
    const canonical = document.querySelectorAll('link[rel=canonical]')
    need(canonical.length <= 1, 'a single canonical address')
    for (const link of canonical) {
      const href = link.getAttribute('href') ?? ''
      need(
        URL.canParse(href) && new URL(href).origin === location.origin,
        'an absolute canonical address of this site',
      )
    }
    for (const link of document.querySelectorAll('a')) {
      const href = link.getAttribute('href') ?? ''
      need(href !== '' && !href.startsWith('javascript:'), `an address of the link "${link.textContent}"`)
      const text = (link.getAttribute('aria-label') ?? link.textContent).trim().toLowerCase()
      need(!emptyTexts.includes(text), `words in the link "${text}" to ${href}`)
    }
    for (const image of document.images) {
      if (!image.complete || image.naturalWidth === 0 || !image.checkVisibility()) continue
      const { width, height } = image.getBoundingClientRect()
      if (width < 2 || height < 2) continue
      need(image.hasAttribute('alt'), `an alternative of ${image.src}`)
      if (getComputedStyle(image).objectFit !== 'fill') continue
      const stretched = (width / height) * (image.naturalHeight / image.naturalWidth)
      need(Math.abs(stretched - 1) < 0.05, `its own shape for ${image.src}`)
    }
    return [...new Set(found)]
  }, EMPTY_LINK_TEXTS)
}

/** Records what the browser's developer tools count as issues of a page: cookies, policies, deprecated features. */
export async function watchIssues(page: Page): Promise<readonly string[]> {
  const issues: string[] = []
  const session = await page.context().newCDPSession(page)
  session.on('Audits.issueAdded', ({ issue }) => {
    issues.push(`${issue.code} ${JSON.stringify(issue.details)}`)
  })
  await session.send('Audits.enable')
  return issues
}
