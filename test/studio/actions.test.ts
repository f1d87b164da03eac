import { expect, test } from 'vitest'
import {
  ACTIONS,
  type ActionRow,
  actionAnywhere,
  actionAt,
  actionTable,
  bindActions,
  type Focus,
  groupsOf,
  keyOfAction,
} from '#lib/studio/actions.ts'

const NOWHERE: Focus = { isText: false, usesSpace: false, isComposing: false }

function stroke(key: string, ...held: readonly ('ctrl' | 'shift')[]) {
  return {
    ...{ key, altKey: false, metaKey: false, repeat: false },
    ctrlKey: held.includes('ctrl'),
    shiftKey: held.includes('shift'),
  }
}

test('two actions on one key in one place are an error, in two places they are not', () => {
  const one: ActionRow = { id: 'one', label: 'One', keys: ['Mod+J'], where: ['line', 'node'] }
  const other: ActionRow = { id: 'other', label: 'Other', keys: ['X', 'mod+j'], where: ['node'] }
  expect(() => actionTable([one, other])).toThrow('other and one both have the key mod+j (node)')
  expect(actionTable([one, { ...other, where: ['field'] }])).toHaveLength(2)
})

test('two actions of one name are an error', () => {
  const one: ActionRow = { id: 'one', label: 'One' }
  expect(() => actionTable([one, { ...one, label: 'Another' }])).toThrow('Two actions are called one')
})

test('actions that have something to run are offered with the text and the key of the table, in its order', () => {
  const run = () => {}
  const actions = bindActions({
    redo: { run, enabled: false, label: 'Redo: Rename' },
    undo: { run },
    template: undefined,
    share: { run },
  })
  expect(actions.map(({ label, shortcut, enabled }) => [label, shortcut, enabled])).toEqual([
    ['Share…', undefined, true],
    ['Undo', 'Mod+Z', true],
    ['Redo: Rename', 'Mod+Shift+Z', false],
  ])
  const [edit, workspace, site] = groupsOf(actions, 'edit', 'workspace', 'site')
  expect([edit, workspace, site].map((group) => group?.map(({ id }) => id))).toEqual([
    ['undo', 'redo'],
    ['share'],
    [],
  ])
  expect(bindActions({}, ['site']).map(({ href }) => href)).toEqual([
    '/worlds',
    '/discover',
    '/feed',
    '/docs',
  ])
})

test('what is in no menu has a key, and what has a key acts in a place', () => {
  const rows: readonly ActionRow[] = ACTIONS
  for (const { id, keys, where, group } of rows) {
    expect(keys !== undefined || group !== undefined, id).toBe(true)
    expect(keys === undefined, id).toBe(where === undefined)
  }
  expect(keyOfAction('palette')).toBe('Mod+K')
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
