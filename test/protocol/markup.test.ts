import { expect, test } from 'vitest'
import { escapeMarkup } from '#lib/protocol/markup.ts'
import { atomDocument } from '#lib/views/xml-documents.ts'

test('a name with any UTF-16 code unit gives text that XML allows', () => {
  const all = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).join('x')
  const name = `${all} 😀 <b>"it's" & more`
  const feed = atomDocument({
    origin: 'https://weft.example',
    self: 'https://weft.example/feed.xml',
    title: name,
    subtitle: name,
    page: 'https://weft.example/feed',
    entries: [{ id: name, title: name, page: name, author: name, atMs: 0, category: name, summary: name }],
  })
  expect(feed.isWellFormed()).toBe(true)
  // Production 2 of XML 1.0: everything but these.
  expect(feed).not.toMatch(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u)
  expect(escapeMarkup('😀 <b>"it\'s" & more')).toBe('😀 &lt;b&gt;&quot;it&#39;s&quot; &amp; more')
  expect(escapeMarkup('a\ufffeb\0c\ud800d')).toBe('a\ufffdb\ufffdc\ufffdd')
})
