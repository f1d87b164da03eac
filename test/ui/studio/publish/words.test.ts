import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Hash } from '#lib/protocol/entity.ts'
import type { PlanItem } from '#lib/ui/studio/publish/plan.ts'
import { PartWords } from '#lib/ui/studio/publish/publish-details.tsx'
import { DEFAULT_CHOICES, wordsOf } from '#lib/ui/studio/publish/words.ts'
import { codeEntry, documentOf } from '../../../studio/document/entries.ts'

const SOURCE = 'return x + 1;'
const contentHash: Hash = `0x${'1'.repeat(64)}`
const document = documentOf(codeEntry('a', 'up', SOURCE))
const item: PlanItem = {
  kind: 'transformation',
  name: 'up',
  contentHash,
  gas: 1n,
  dataFee: 0n,
  inDocument: true,
  traits: { dependsOn: 'input', reads: [], calls: false },
  standing: { state: 'open' },
}

test('a source is published with its licence, unless its author clears the box', () => {
  expect(wordsOf(item, document, DEFAULT_CHOICES).words).toMatchObject({ source: SOURCE, licence: 'MIT' })
  const closed = wordsOf(item, document, { ...DEFAULT_CHOICES, openSource: false })
  expect(closed.words).not.toHaveProperty('source')
})

test('the box is ticked, with words on what it means, and only where there is a body', () => {
  const form = (items: readonly PlanItem[]) =>
    renderToStaticMarkup(
      createElement(PartWords, {
        items,
        own: undefined,
        document,
        words: DEFAULT_CHOICES,
        setChoices: () => {},
      }),
    )
  expect(form([item])).toMatch(/<input type="checkbox"[^>]* checked=""/)
  expect(form([item])).toContain('Anyone can read how it works and remix it.')
  expect(form([{ ...item, kind: 'connector' }])).not.toContain('checkbox')
})

test('a source that is too long for the chain is left out, and the author is told', () => {
  const long = documentOf(codeEntry('a', 'up', `${SOURCE} // ${'x'.repeat(9_000)}`))
  const { words, problem } = wordsOf(item, long, DEFAULT_CHOICES)
  expect(words).not.toHaveProperty('source')
  expect(problem).toContain('without its source')
})
