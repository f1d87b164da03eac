/** Everything but the characters of XML 1.0: controls, lone surrogates, U+FFFE and U+FFFF. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Text as it may stand in an element or a quoted attribute of XML, SVG and HTML. Characters that XML forbids, which no escape
 * can spell, become U+FFFD.
 */
export function escapeMarkup(text: string): string {
  return text.replaceAll(FORBIDDEN, '\uFFFD').replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
