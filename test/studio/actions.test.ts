import { expect, test } from 'vitest'
import { actionAnywhere, actionAt, type Focus, KEYS, type Keyed, keyTable } from '#lib/studio/actions.ts'

const NOWHERE: Focus = { isText: false, usesSpace: false, isComposing: false }

function stroke(key: string, ...held: readonly ('ctrl' | 'shift')[]) {
  return {
    ...{ key, altKey: false, metaKey: false, repeat: false },
    ctrlKey: held.includes('ctrl'),
    shiftKey: held.includes('shift'),
  }
}

test('two actions on one key in one place are an error, in two places they are not', () => {
  const one: Keyed = { id: 'one', does: 'One', keys: ['Mod+J'], where: ['line', 'node'] }
  const other: Keyed = { id: 'other', does: 'Other', keys: ['X', 'mod+j'], where: ['node'] }
  expect(() => keyTable([one, other])).toThrow('other and one both have the key mod+j (node)')
  expect(keyTable([one, { ...other, where: ['field'] }])).toHaveLength(2)
})

test('every action has one name', () => {
  const ids = KEYS.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test.each([
  ['z', ['ctrl'], 'undo'],
  ['Z', ['ctrl', 'shift'], 'redo'],
  ['y', ['ctrl'], 'redo'],
  ['k', ['ctrl'], 'palette'],
  ['?', ['shift'], 'shortcuts'],
  [' ', [], 'play'],
  ['z', [], undefined],
  [' ', ['ctrl'], undefined],
] as const)('%o with %j is %s, and in a field of text only the palette is', (key, held, id) => {
  const pressed = stroke(key, ...held)
  expect(actionAnywhere(pressed, NOWHERE)).toBe(id)
  const inText = { ...NOWHERE, isText: true, usesSpace: true }
  expect(actionAnywhere(pressed, inText)).toBe(id === 'palette' ? id : undefined)
  expect(actionAnywhere(pressed, { ...NOWHERE, isComposing: true })).toBeUndefined()
})

test('the space bar is left to what has a use for it, and acts once while it is held', () => {
  expect(actionAnywhere(stroke(' '), { ...NOWHERE, usesSpace: true })).toBeUndefined()
  expect(actionAnywhere({ ...stroke(' '), repeat: true }, NOWHERE)).toBeUndefined()
  expect(actionAnywhere(stroke('z', 'ctrl'), { ...NOWHERE, usesSpace: true })).toBe('undo')
})

test.each([
  ['*', ['shift'], 'keep-variation'],
  ['s', [], 'keep-variation'],
  ['b', [], 'mark-parent'],
  ['B', ['shift'], 'breed'],
  [' ', [], 'play-variation'],
] as const)('among variations %o with %j is %s', (key, held, id) => {
  expect(actionAt('variation', stroke(key, ...held))).toBe(id)
})
