import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Description, SourceBody } from '#lib/ui/entity/author-words.tsx'
import { RemixTree } from '#lib/ui/entity/remix-tree.tsx'
import { solidityTokens } from '#lib/ui/entity/solidity-tokens.ts'

function kinds(source: string) {
  return solidityTokens(source).flatMap(({ text, kind }) => (kind === 'plain' ? [] : [`${kind} ${text}`]))
}

test('colours what a body is made of', () => {
  expect(kinds('// up\nuint32 y = args[0x0a]; return "a\\"b" /* x */ + x;')).toEqual([
    'comment // up',
    'type uint32',
    'given args',
    'number 0x0a',
    'keyword return',
    'string "a\\"b"',
    'comment /* x */',
    'given x',
  ])
})

test.each([
  '/*'.repeat(4000),
  '"'.repeat(8000),
  '\\'.repeat(8000),
  '/'.repeat(8000),
  `"${'\\"'.repeat(4000)}`,
  '*'.repeat(8000),
  'a'.repeat(8000),
  '<script>alert("x")</script>\n漢字 😀',
])('loses nothing of any text: %.12s', (source) => {
  expect(
    solidityTokens(source)
      .map(({ text }) => text)
      .join(''),
  ).toBe(source)
})

test('words are shown as text, with the result of the check', () => {
  const words = {
    description: '<img src=x onerror=alert(1)>',
    licence: 'MIT',
    source: 'return x; // </code><script>',
    sourceState: 'different',
  } as const
  const description = renderToStaticMarkup(createElement(Description, { words }))
  expect(description).toContain('&lt;img src=x onerror=alert(1)&gt;')
  const source = renderToStaticMarkup(createElement(SourceBody, { words }))
  expect(source).toContain('// &lt;/code&gt;&lt;script&gt;')
  expect(source).toContain('Not verified')
  expect(renderToStaticMarkup(createElement(SourceBody, { words: undefined }))).toContain(
    'No source published',
  )
})

test('a tree credits the account of every generation', () => {
  const node = { kind: 'connector', next: [], more: false } as const
  const owner = (digit: string) => `0x${digit.repeat(40)}` as const
  const later = { ...node, name: 'later', owner: owner('b') }
  const remixedBy = { more: true, next: [{ ...node, name: 'first', owner: owner('a'), next: [later] }] }
  const names = new Map([[owner('b'), 'Berta']])
  const world = { ...node, kind: 'world', name: 'harp-2', title: 'Harp two', owner: owner('c') } as const
  const remixes = {
    madeFrom: { next: [], more: false },
    remixedBy: { ...remixedBy, next: [...remixedBy.next, world] },
    names,
    count: 200,
  }
  const html = renderToStaticMarkup(createElement(RemixTree, { remixes, mostCounted: 200 }))
  for (const part of [
    '/connectors/first',
    '/connectors/later',
    '/worlds/harp-2',
    owner('a'),
    owner('b'),
    'berta',
    '>harp two<',
  ]) {
    expect(html.toLowerCase()).toContain(part)
  }
  expect(html).toContain('200 times and more')
  expect(html).toContain('and older ones')
  expect(html).not.toContain('Made from')
})
