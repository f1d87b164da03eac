import { type DocPage, docHref, findDoc, markdownHref } from './catalog.ts'
import { readDoc } from './read-doc.ts'

/**
 * A page as markdown for programs: links to other pages lead to their markdown.
 *
 * @param origin Scheme, host and port of the site.
 */
export function markdownTwin(page: DocPage, origin: string): string {
  return readDoc(page, origin).replace(
    /\]\(\/docs(?:\/([a-z/-]+))?(#[\w-]*)?\)/g,
    (link, slug = '', anchor = '') => {
      const target = findDoc(slug)
      return target === undefined ? link : `](${markdownHref(target)}${anchor})`
    },
  )
}

/** All pages one after another, each with its address. @param origin Scheme, host and port of the site. */
export function allDocs(origin: string, pages: readonly DocPage[]): string {
  return pages
    .map((page) => `<!-- ${origin}${docHref(page)} -->\n\n${readDoc(page, origin).trim()}\n`)
    .join('\n---\n\n')
}
