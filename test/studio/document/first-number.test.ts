import { expect, test } from 'vitest'
import { firstNumber, setNumber } from '#lib/studio/document/commands/knobs.ts'
import { createStudioStore } from '#lib/studio/document/store.ts'
import { EMPTY_VIEW } from '#lib/studio/document/types.ts'
import { connectorEntry, dimension, documentOf } from './entries.ts'

test('a number is reset to the first that it had in the history, and a start to the first that was set', () => {
  const tune = connectorEntry('e', 'tune', [
    dimension('d', { calls: [{ id: 'c', name: 'add', args: ['7'] }] }),
  ])
  const store = createStudioStore({ document: documentOf(tune), view: EMPTY_VIEW })
  const argument = { entryId: 'e', target: { kind: 'call', callId: 'c', index: 0 } } as const
  const start = { entryId: 'e', target: { kind: 'start', position: 1 } } as const
  for (const text of ['x', '8', '9']) store.edit('Set', (document) => setNumber(document, argument, text))
  expect(firstNumber(store.history(), argument)).toBe('7')
  expect(firstNumber(store.history(), start)).toBeUndefined()
  for (const text of ['60', '64']) store.edit('Set', (document) => setNumber(document, start, text))
  expect(firstNumber(store.history(), start)).toBe('60')
})
