import { DOC_SECTIONS, type DocLink, type DocPage, docHref, markdownHref } from './catalog.ts'

/**
 * What language models and agents are told of the site, in the form of llmstxt.org.
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
