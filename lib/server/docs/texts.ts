import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getServices } from '#lib/server/services.ts'
import { DOC_SECTIONS, type DocLink, type DocPage, docHref, findDoc, markdownHref } from './catalog.ts'

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

/**
 * The site's `llms.txt` (llmstxt.org).
 *
 * @param origin Scheme, host and port of the site.
 */
export function llmsTxt(origin: string): string {
  return [
    '# Weft',
    '',
    '> Weft lets people compose tiny Solidity functions into connectors, see the numbers they generate, publish them on',
    '> an EVM chain, run them there with a result that anyone can check, and show them as Worlds.',
    '',
    `The chain API is at ${origin}/chain, the services API (users, Worlds) at ${origin}/services. Reading, simulating and`,
    'executing need no account. Drafting and publishing need a signature of an Ethereum key; publishing sends transactions',
    'that cannot be taken back. Every page below is markdown.',
    ...DOC_SECTIONS.flatMap(({ title, entries }) => ['', `## ${title}`, '', ...entries.map(line)]),
    '',
    '## For programs',
    '',
    `- [Chain API as OpenAPI](${origin}/chain/openapi.json): entities, simulation, publication, execution, feed`,
    `- [Services API as OpenAPI](${origin}/services/openapi.json): sign-in, users, follows, Worlds`,
    `- Tools by the Model Context Protocol: the same operations for agents, over streamable HTTP at ${origin}/mcp`,
    `- [Everything in one file](${origin}/llms-full.txt): all pages of this documentation`,
    `- [Atom feed](${origin}/feed.xml): what was published last`,
    '',
  ].join('\n')

  function line(entry: DocPage | DocLink): string {
    const href = 'slug' in entry ? markdownHref(entry) : docHref(entry)
    return `- [${entry.title}](${origin}${href}): ${entry.description}`
  }
}

/** The site address in the samples of the stored texts. */
const SAMPLE_ORIGIN = 'http://localhost:3000'

/**
 * The markdown of a page, its samples with the site's own address. Pages about self-hosting are returned unchanged.
 *
 * @param origin Scheme, host and port of the site.
 * @throws Error when the project lacks the file.
 */
export function readDoc({ slug, source }: DocPage, origin: string): string {
  const text = readFileSync(join(/*turbopackIgnore: true*/ process.cwd(), source), 'utf8')
  return slug.startsWith('self-hosting') ? text : text.replaceAll(SAMPLE_ORIGIN, origin)
}

/** Scheme, host and port of this site, for texts that need nothing else of its services. */
export async function siteOrigin(): Promise<string> {
  return getServices().then(
    ({ config }) => config.siteOrigin,
    () => SAMPLE_ORIGIN,
  )
}
