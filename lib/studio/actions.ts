import { matchesShortcut, type Stroke } from '#lib/browser/shortcut.ts'

/** Where keys act. What is narrower comes before `anywhere`. */
export const PLACES = {
  anywhere: 'Anywhere',
  line: 'On a line of the score',
  cell: 'On a step of a line',
  field: 'In a field of the score',
  node: 'In the graph',
  number: 'In a number',
  variation: 'On a variation',
} as const

export type Place = keyof typeof PLACES

/** Groups of actions in the menus of the bar and in the palette, in this order. */
const GROUPS = ['make', 'entry', 'workspace', 'edit', 'sound', 'help', 'site'] as const

export type Group = (typeof GROUPS)[number]

/** One row of the table. */
export interface ActionRow {
  readonly id: string
  /** Text of its button or menu item, unless what it acts on is a part of it. */
  readonly label: string
  /** Text in the list of shortcuts; by default its label. */
  readonly does?: string
  /** As `matchesShortcut` reads them; the first is the one that is shown. */
  readonly keys?: readonly [string, ...string[]]
  /** Where its keys act. */
  readonly where?: readonly Place[]
  /** Whether its keys mean nothing in a field of text, and so act there, too. */
  readonly inText?: true
  /** Whether its keys fire an event of the browser, which needs no permission; a button must request it. */
  readonly native?: true
  /** Menu and palette that offer it; by default none. */
  readonly group?: Group
  /** Page that it leads to, in place of something to run. */
  readonly href?: string
}

/** A table of actions. @throws {Error} where two of them share an id, or a key in one place. */
export function actionTable<const T extends readonly ActionRow[]>(table: T): T {
  const actionByKey = new Map<string, string>()
  const ids = new Set<string>()
  for (const { id, keys = [], where = [] } of table) {
    if (ids.has(id)) throw new Error(`Two actions are called ${id}`)
    ids.add(id)
    for (const place of where) {
      for (const key of keys) {
        const at = `${place} ${key.toLowerCase()}`
        const other = actionByKey.get(at)
        if (other !== undefined) throw new Error(`${id} and ${other} both have the key ${key} (${place})`)
        actionByKey.set(at, id)
      }
    }
  }
  return table
}

/** Every action of the studio: menus, palette, toolbars, canvas, keyboard and the list of shortcuts derive from it. */
export const ACTIONS = actionTable([
  { id: 'template', label: 'New from a template…', group: 'make' },
  { id: 'new-connector', label: 'New piece', group: 'make' },
  { id: 'new-transformation', label: 'New function', group: 'make' },
  { id: 'new-condition', label: 'New gate', group: 'make' },

  { id: 'explore', label: 'Explore variations', group: 'entry' },
  { id: 'duplicate-entry', label: 'Duplicate', group: 'entry' },
  { id: 'copy-entry', label: 'Copy', group: 'entry' },
  { id: 'remove-entry', label: 'Remove', group: 'entry' },

  { id: 'workspaces', label: 'Workspaces…', group: 'workspace' },
  { id: 'history', label: 'History…', group: 'workspace' },
  { id: 'share', label: 'Share…', group: 'workspace' },
  { id: 'export', label: 'Export', group: 'workspace' },
  { id: 'import', label: 'Import…', group: 'workspace' },
  { id: 'keep-look', label: 'Keep this', group: 'workspace' },
  { id: 'leave-look', label: 'To my own work', group: 'workspace' },

  {
    ...{ id: 'undo', label: 'Undo', does: 'Undo, outside fields of text', group: 'edit' },
    ...{ keys: ['Mod+Z'], where: ['anywhere'] },
  },
  {
    ...{ id: 'redo', label: 'Redo', does: 'Redo, outside fields of text', group: 'edit' },
    ...{ keys: ['Mod+Shift+Z', 'Mod+Y'], where: ['anywhere'] },
  },
  { id: 'score', label: 'Show the score', group: 'edit' },
  { id: 'list', label: 'Show the list', group: 'edit' },
  { id: 'graph', label: 'Show the graph', group: 'edit' },

  {
    ...{ id: 'play', label: 'Play', does: 'Play and stop, outside fields and buttons', group: 'sound' },
    ...{ keys: ['Space'], where: ['anywhere'] },
  },
  { id: 'loop', label: 'Loop', group: 'sound' },
  { id: 'faster', label: 'Tempo up', group: 'sound' },
  { id: 'slower', label: 'Tempo down', group: 'sound' },

  {
    ...{ id: 'palette', label: 'Find and commands', does: 'Find, and every command', group: 'help' },
    ...{ keys: ['Mod+K'], where: ['anywhere'], inText: true },
  },
  {
    ...{ id: 'assistant', label: 'Assistant', does: 'Show and hide the assistant', group: 'help' },
    ...{ keys: ['Mod+I'], where: ['anywhere'] },
  },
  { id: 'theme', label: 'Switch between light and dark', group: 'help' },
  { id: 'lessons', label: 'Lessons', group: 'help' },
  {
    ...{ id: 'shortcuts', label: 'Shortcuts', does: 'This list, outside fields', group: 'help' },
    ...{ keys: ['?'], where: ['anywhere'] },
  },

  { id: 'site-worlds', label: 'Worlds', group: 'site', href: '/worlds' },
  { id: 'site-discover', label: 'Discover', group: 'site', href: '/discover' },
  { id: 'site-feed', label: 'Activity', group: 'site', href: '/feed' },
  { id: 'site-docs', label: 'Docs', group: 'site', href: '/docs' },

  { id: 'lesson', label: 'Back to the lesson', keys: ['Alt+L'], where: ['anywhere'], inText: true },

  { id: 'above', label: 'Line above', keys: ['ArrowUp'], where: ['line'] },
  { id: 'below', label: 'Line below', keys: ['ArrowDown'], where: ['line'] },
  { id: 'into', label: 'Open it, or go into its first field', keys: ['ArrowRight'], where: ['line'] },
  { id: 'out', label: 'Close it, or go to the line it belongs to', keys: ['ArrowLeft'], where: ['line'] },
  { id: 'field', label: 'Go into its first field', keys: ['Enter'], where: ['line'] },
  { id: 'next-step', label: 'Step after it', keys: ['ArrowRight'], where: ['cell'] },
  { id: 'step-before', label: 'Step before it, or the line', keys: ['ArrowLeft'], where: ['cell'] },
  { id: 'switch-step', label: 'Switch it on and off', keys: ['Space'], where: ['cell'] },
  {
    ...{ id: 'add-call', label: 'Step', does: 'Add a step' },
    ...{ keys: ['A'], where: ['line', 'node'] },
  },
  {
    ...{ id: 'add-dimension', label: 'Voice', does: 'Add a voice' },
    ...{ keys: ['D'], where: ['line', 'node'] },
  },
  {
    ...{ id: 'add-condition', label: 'Gate', does: 'Add a gate: when it plays' },
    ...{ keys: ['C'], where: ['line', 'node'] },
  },
  { id: 'start', label: 'Start', does: 'Set the start of its voice', keys: ['S'], where: ['node'] },
  { id: 'lead-to', label: 'Plays…', does: 'Choose what its voice plays', keys: ['L'], where: ['node'] },
  { id: 'add-connector', label: 'Piece', does: 'Add a piece', keys: ['N'], where: ['node'] },
  { id: 'open', label: 'Open', does: 'Open what it names', keys: ['O'], where: ['line', 'node'] },
  { id: 'toggle', label: 'Expand', does: 'Expand or collapse it', keys: ['E'], where: ['node'] },
  {
    ...{ id: 'up', label: 'Up', does: 'Move its line up' },
    ...{ keys: ['Alt+ArrowUp'], where: ['line', 'field', 'node'] },
  },
  {
    ...{ id: 'down', label: 'Down', does: 'Move its line down' },
    ...{ keys: ['Alt+ArrowDown'], where: ['line', 'field', 'node'] },
  },
  { id: 'duplicate', label: 'Duplicate', keys: ['Mod+D'], where: ['line', 'field', 'node'] },
  { id: 'copy', label: 'Copy', keys: ['Mod+C'], where: ['line', 'node'], native: true },
  { id: 'cut', label: 'Cut', keys: ['Mod+X'], where: ['line', 'node'], native: true },
  { id: 'paste', label: 'Paste', keys: ['Mod+V'], where: ['line', 'node'], native: true },
  { id: 'remove', label: 'Remove', keys: ['Delete'], where: ['line', 'node'] },

  { id: 'next-field', label: 'Go to the next step, or the line below', keys: ['Enter'], where: ['field'] },
  { id: 'leave-field', label: 'Back to the line', keys: ['Escape'], where: ['field'] },

  { id: 'rename', label: 'Change its name', keys: ['F2'], where: ['node'] },
  { id: 'fit', label: 'Show all of it', keys: ['F'], where: ['node'] },
  { id: 'lay-out', label: 'Lay it out again', keys: ['G'], where: ['node'] },
  { id: 'closer', label: 'Closer', keys: ['+', '='], where: ['node'] },
  { id: 'further', label: 'Further away', keys: ['-'], where: ['node'] },

  { id: 'more', label: 'One more; ten with Shift', keys: ['ArrowUp'], where: ['number'] },
  { id: 'less', label: 'One less; ten with Shift', keys: ['ArrowDown'], where: ['number'] },
  { id: 'number-menu', label: 'Make it a knob, reset, explain', keys: ['Alt+Enter'], where: ['number'] },
  { id: 'drop', label: 'While it is dragged: back to what it was', keys: ['Escape'], where: ['number'] },

  { id: 'open-variation', label: 'Open it', keys: ['Enter'], where: ['variation'] },
  { id: 'keep-variation', label: 'Keep it', keys: ['S', '*'], where: ['variation'] },
  { id: 'more-like', label: 'More like this', keys: ['M'], where: ['variation'] },
  { id: 'mark-parent', label: 'Mark it as a parent', keys: ['B'], where: ['variation'] },
  { id: 'breed', label: 'Mix the two parents', keys: ['Shift+B'], where: ['variation'] },
  { id: 'play-variation', label: 'Play it, and stop', keys: ['Space'], where: ['variation'] },
])

export type ActionId = (typeof ACTIONS)[number]['id']

const ROWS: readonly ActionRow[] = ACTIONS
const ROW_OF = new Map(ROWS.map((row) => [row.id, row]))

/** Part of an action that depends on what it acts on. */
export interface Handler {
  readonly run: () => void
  /** By default true. */
  readonly enabled?: boolean
  /** By default that of the table. */
  readonly label?: string
}

export type Handlers = Partial<Record<ActionId, Handler | undefined>>

/** An action of the table, ready to run. */
export interface Action {
  readonly id: ActionId
  readonly label: string
  /** Key that is shown beside it. */
  readonly shortcut: string | undefined
  readonly enabled: boolean
  readonly native: boolean
  readonly group: Group | undefined
  readonly href: string | undefined
  readonly run: () => void
}

/** Actions that have a handler here, and pages of the groups, in the order of the table. */
export function bindActions(handlers: Handlers, pages: readonly Group[] = []): readonly Action[] {
  return ROWS.flatMap(({ id, label, keys, native = false, group, href }): Action[] => {
    const handler = handlers[id as ActionId]
    const isPage = href !== undefined && group !== undefined && pages.includes(group)
    if (handler === undefined && !isPage) return []
    return [
      {
        ...{ id: id as ActionId, label: handler?.label ?? label, shortcut: keys?.[0], native, group, href },
        enabled: handler?.enabled ?? true,
        run: handler?.run ?? (() => location.assign(href ?? '')),
      },
    ]
  })
}

/** The actions of some groups of menus, a list for each. */
export function groupsOf(
  actions: readonly Action[],
  ...groups: readonly Group[]
): readonly (readonly Action[])[] {
  return groups.map((group) => actions.filter((action) => action.group === group))
}

/** Rows whose keys act in a place. */
export function rowsIn(place: Place): readonly ActionRow[] {
  return ROWS.filter(({ keys, where = [] }) => keys !== undefined && where.includes(place))
}

/** The key of an action that is shown beside it. */
export function keyOfAction(id: ActionId): string {
  return ROW_OF.get(id)?.keys?.[0] ?? ''
}

/** The action of a stroke in a place; undefined for none. */
export function actionAt(place: Place, stroke: Stroke): ActionId | undefined {
  const row = rowsIn(place).find(({ keys = [] }) => keys.some((key) => matchesShortcut(stroke, key)))
  return row?.id as ActionId | undefined
}

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
  if (id === undefined || (focus.isText && ROW_OF.get(id)?.inText !== true)) return undefined
  if (id === 'play' && (focus.usesSpace || stroke.repeat)) return undefined
  return id
}
