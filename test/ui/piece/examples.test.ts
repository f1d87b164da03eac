import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Examples } from '#lib/ui/piece/examples.tsx'

/** Height of each drawn line, in shares of the highest. */
function heights(lines: readonly (readonly number[])[]): readonly number[] {
  const examples = {
    kind: 'transformation',
    lines: lines.map((values, x) => ({ x, args: [], values })),
  } as const
  const page = renderToStaticMarkup(createElement(Examples, { name: 'add', examples }))
  const paths = [...page.matchAll(/d="M0 \d+l([^"]+)" stroke-width="2"/g)].map(([, moves = '']) => {
    const numbers = moves.split(' ').map(Number)
    return Math.abs(numbers.filter((_, index) => index % 2 === 1).reduce((sum, move) => sum + move, 0))
  })
  const highest = Math.max(...paths)
  return paths.map((height) => Math.round((height / highest) * 10) / 10)
}

test('sequences of one function share a scale where their ranges are comparable', () => {
  expect(
    heights([
      [0, 7, 14, 21],
      [5, 7, 9, 11],
      [1, 4, 7, 10],
    ]),
  ).toEqual([1, 0.3, 0.4])
  // Otherwise the smaller would be flat.
  expect(
    heights([
      [0, 10_000],
      [0, 1],
    ]),
  ).toEqual([1, 1])
})
