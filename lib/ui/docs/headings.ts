import { lexer, type Tokens } from 'marked'

export interface Heading {
  readonly id: string
  readonly text: string
}

/** The parts of a page: its headings of the second level. */
export function headingsOf(markdown: string): Heading[] {
  return lexer(markdown)
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2)
    .map(({ text }) => ({ id: headingId(text), text: plain(text) }))
}

/** The fragment that leads to a heading. */
export function headingId(text: string): string {
  return plain(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

function plain(markdown: string): string {
  return markdown.replace(/[`*]/g, '')
}
