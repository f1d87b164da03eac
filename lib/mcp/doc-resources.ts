import type { McpServer } from '@modelcontextprotocol/server'
import { DOC_PAGES, markdownHref } from '../site-data/docs/catalog.ts'
import { markdownTwin } from '../site-data/docs/markdown-twin.ts'

/** The pages of the documentation, at the addresses where anybody reads them as markdown. */
export function registerDocs(server: McpServer, siteOrigin: string): void {
  for (const page of DOC_PAGES) {
    const uri = `${siteOrigin}${markdownHref(page)}`
    const { title, description } = page
    const name = page.slug === '' ? 'index' : page.slug
    server.registerResource(name, uri, { title, description, mimeType: 'text/markdown' }, () => ({
      contents: [{ uri, mimeType: 'text/markdown', text: markdownTwin(page, siteOrigin) }],
    }))
  }
}
