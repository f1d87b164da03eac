import { readFileSync } from 'node:fs'
import { NextRequest } from 'next/server.js'
import { expect, test, vi } from 'vitest'
import { DOC_SECTIONS, docHref } from '#lib/server/docs/catalog.ts'
import { movedPage } from '#lib/server/page-policy/moved-pages.ts'
import { proxy } from '../../../proxy.ts'

const HASH = 'ab'.repeat(32)
const ADDRESS = `0x${'Ab'.repeat(20)}`

const MOVED: readonly (readonly [string, string])[] = [
  ['/about', '/docs/concepts'],
  ['/tutorial', '/docs/tutorial'],
  ['/sdk', '/docs/client'],
  ['/api-reference', '/docs/api'],
  ['/map', '/network'],
  ['/gallery', '/worlds'],
  ['/c/pitch', '/connectors/pitch'],
  ['/c/__proto__', '/connectors/__proto__'],
  [`/f/${HASH}`, `/formats/${HASH}`],
  [`/f/0x${HASH}`, `/formats/0x${HASH}`],
  [`/u/${ADDRESS}`, `/users/${ADDRESS}`],
]

test.each(MOVED)('%s is now %s', (path, page) => {
  expect(movedPage(path)).toBe(page)
})

test('the pages of the documentation that they lead to exist', () => {
  const pages = DOC_SECTIONS.flatMap(({ entries }) => entries).map(docHref)
  expect(pages).toEqual(
    expect.arrayContaining(MOVED.flatMap(([, page]) => (page.startsWith('/docs/') ? [page] : []))),
  )
})

const NAMES = [
  '',
  '/',
  '//evil.example',
  '/evil.example',
  '\\evil.example',
  'https://evil.example',
  '..',
  '../..//evil.example',
  '%2f%2fevil.example',
  '%5cevil.example',
  '%0d%0aLocation:%20https://evil.example',
  '\r\nLocation: https://evil.example',
  'pitch\n',
  'pitch/',
  'pitch/../..//evil.example',
  'pitch@evil.example',
  '.evil.example',
  'javascript:alert(1)',
  'a'.repeat(129),
]

test.each(NAMES)('a rest of %j leads nowhere', (rest) => {
  for (const before of ['/c/', '/f/', '/u/', '/about', '/gallery/', '//c/', '/C/', '/x/c/']) {
    const path = before + rest
    if (path !== '/about') expect(movedPage(path), path).toBeUndefined()
  }
})

test('where Next serves pages directly, the answer is a redirect to this site', () => {
  vi.stubGlobal('weftSendsPageHeaders', false)
  const answer = proxy(new NextRequest('http://localhost:3000/c/pitch?count=4'))
  expect(answer.status).toBe(308)
  expect(answer.headers.get('location')).toBe('http://localhost:3000/connectors/pitch?count=4')
})

test('the documentation lists them all', () => {
  const text = readFileSync('docs/site/original-network.md', 'utf8')
  for (const [path] of MOVED) expect(text).toContain(`\`${path.replace(/^(\/[cfu]\/).*$/, '$1…')}\``)
})
