import { matchesShortcut, type Stroke } from '#lib/browser/shortcut.ts'

/** Where keys act. What is narrower comes before `anywhere`. */
export const PLACES = {
  anywhere: 'Anywhere',
  line: 'On a line of the outline',
  field: 'In a field of the outline',
  node: 'In the graph',
  number: 'In a number',
  variation: 'On a variation',
} as const

export type Place = keyof typeof PLACES

/** The keys of one action. */
export interface Keyed {
  readonly id: string
  /** Description in the list of all keys. */
  readonly does: string
  /** As `matchesShortcut` reads them; the first is the one that is shown. */
  readonly keys: readonly [string, ...string[]]
  readonly where: readonly Place[]
}

/** A table of keys. @throws {Error} where two actions share a key in one place. */
export function keyTable<const T extends readonly Keyed[]>(table: T): T {
  const taken = new Map<string, string>()
  for (const { id, keys, where } of table) {
    for (const place of where) {
      for (const key of keys) {
        const at = `${place} ${key.toLowerCase()}`
        const other = taken.get(at)
        if (other !== undefined) throw new Error(`${id} and ${other} both have the key ${key} (${place})`)
        taken.set(at, id)
      }
    }
  }
  return table
}

/** Every key of the studio: menus, palette, editors and the list of shortcuts read it here. */
export const KEYS = keyTable([
  { id: 'undo', does: 'Undo, outside fields of text', keys: ['Mod+Z'], where: ['anywhere'] },
  { id: 'redo', does: 'Redo, outside fields of text', keys: ['Mod+Shift+Z', 'Mod+Y'], where: ['anywhere'] },
  { id: 'palette', does: 'Find, and every command', keys: ['Mod+K'], where: ['anywhere'] },
  { id: 'play', does: 'Play and stop, outside fields and buttons', keys: ['Space'], where: ['anywhere'] },
  { id: 'shortcuts', does: 'This list, outside fields', keys: ['?'], where: ['anywhere'] },

  { id: 'above', does: 'Line above', keys: ['ArrowUp'], where: ['line'] },
  { id: 'below', does: 'Line below', keys: ['ArrowDown'], where: ['line'] },
  { id: 'into', does: 'Open it, or go into its first field', keys: ['ArrowRight'], where: ['line'] },
  { id: 'out', does: 'Close it, or go to the line it belongs to', keys: ['ArrowLeft'], where: ['line'] },
  { id: 'field', does: 'Go into its first field', keys: ['Enter'], where: ['line'] },
  { id: 'add-call', does: 'Add a transformation', keys: ['A'], where: ['line', 'node'] },
  { id: 'add-dimension', does: 'Add a dimension', keys: ['D'], where: ['line', 'node'] },
  { id: 'add-condition', does: 'Add a condition', keys: ['C'], where: ['line', 'node'] },
  { id: 'open', does: 'Open what it names', keys: ['O'], where: ['line', 'node'] },
  { id: 'up', does: 'Move its line up', keys: ['Alt+ArrowUp'], where: ['line', 'field', 'node'] },
  { id: 'down', does: 'Move its line down', keys: ['Alt+ArrowDown'], where: ['line', 'field', 'node'] },
  { id: 'duplicate', does: 'Duplicate', keys: ['Mod+D'], where: ['line', 'field', 'node'] },
  { id: 'copy', does: 'Copy', keys: ['Mod+C'], where: ['line', 'node'] },
  { id: 'cut', does: 'Cut', keys: ['Mod+X'], where: ['line', 'node'] },
  { id: 'paste', does: 'Paste', keys: ['Mod+V'], where: ['line', 'node'] },
  { id: 'remove', does: 'Remove', keys: ['Delete'], where: ['line', 'node'] },

  { id: 'next-field', does: 'Go to the line below', keys: ['Enter'], where: ['field'] },
  { id: 'leave-field', does: 'Back to the line', keys: ['Escape'], where: ['field'] },

  { id: 'lead-to', does: 'Lead to another connector', keys: ['L'], where: ['node'] },
  { id: 'add-connector', does: 'Add a connector', keys: ['N'], where: ['node'] },
  { id: 'toggle', does: 'Expand or collapse it', keys: ['E'], where: ['node'] },
  { id: 'start', does: 'Set the start of its dimension', keys: ['S'], where: ['node'] },
  { id: 'rename', does: 'Change its name', keys: ['F2'], where: ['node'] },
  { id: 'fit', does: 'Show all of it', keys: ['F'], where: ['node'] },
  { id: 'lay-out', does: 'Lay it out again', keys: ['G'], where: ['node'] },
  { id: 'closer', does: 'Closer', keys: ['+', '='], where: ['node'] },
  { id: 'further', does: 'Further away', keys: ['-'], where: ['node'] },

  { id: 'more', does: 'One more; ten with Shift', keys: ['ArrowUp'], where: ['number'] },
  { id: 'less', does: 'One less; ten with Shift', keys: ['ArrowDown'], where: ['number'] },
  { id: 'number-menu', does: 'Make it a knob, reset, explain', keys: ['Alt+Enter'], where: ['number'] },
  { id: 'drop', does: 'While it is dragged: back to what it was', keys: ['Escape'], where: ['number'] },

  { id: 'open-variation', does: 'Open it', keys: ['Enter'], where: ['variation'] },
  { id: 'keep-variation', does: 'Keep it', keys: ['S', '*'], where: ['variation'] },
  { id: 'more-like', does: 'More like this', keys: ['M'], where: ['variation'] },
  { id: 'mark-parent', does: 'Mark it as a parent', keys: ['B'], where: ['variation'] },
  { id: 'breed', does: 'Mix the two parents', keys: ['Shift+B'], where: ['variation'] },
  { id: 'play-variation', does: 'Play it, and stop', keys: ['Space'], where: ['variation'] },
])

export type ActionId = (typeof KEYS)[number]['id']

/** The key of an action that is shown beside it. */
export function keyOfAction(id: ActionId): string {
  return (KEYS as readonly Keyed[]).find((each) => each.id === id)?.keys[0] ?? ''
}

/** The action of a stroke in a place; undefined for none. */
export function actionAt(place: Place, stroke: Stroke): ActionId | undefined {
  const found = (KEYS as readonly Keyed[]).find(
    ({ keys, where }) => where.includes(place) && keys.some((key) => matchesShortcut(stroke, key)),
  )
  return found?.id as ActionId | undefined
}

/** Actions that mean nothing in a field of text, and so act there, too. */
const IN_TEXT: ReadonlySet<ActionId> = new Set(['palette'])

/** The element with the focus, as far as it matters to keys. */
export interface Focus {
  /** A field or an editor of text, which has a history and keys of its own. */
  readonly isText: boolean
  /** A button, a list or a dialog, which has a use for the space bar. */
  readonly usesSpace: boolean
  /** An input method composes. */
  readonly isComposing: boolean
}

/** The action of a stroke that nothing narrower has used; undefined for none. */
export function actionAnywhere(
  stroke: Stroke & { readonly repeat: boolean },
  focus: Focus,
): ActionId | undefined {
  if (focus.isComposing) return undefined
  const id = actionAt('anywhere', stroke)
  if (id === undefined || (focus.isText && !IN_TEXT.has(id))) return undefined
  if (id === 'play' && (focus.usesSpace || stroke.repeat)) return undefined
  return id
}
