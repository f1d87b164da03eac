import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PieceName } from '#lib/ui/components/piece-name.tsx'

test.each([
  ['rule_thirty', 'Rule 30', 'Rule 30 rule_thirty'],
  ['broken_twill', 'Broken twill', 'Broken twill'],
  ['broken_twill', undefined, 'broken_twill'],
])('a list has the piece %s with the title %j as "%s"', (name, title, text) => {
  const html = renderToStaticMarkup(createElement(PieceName, { name, title }))
  expect(html.replaceAll(/<[^>]*>/g, '').trim()).toBe(text)
})
