import { type Action, type ActionId, bindActions, type Handler } from '#lib/studio/actions.ts'
import { copy, freeName, paste, readClip, writeClip } from '#lib/studio/document/clip.ts'
import { removeRunningInstance, setRunningInstance } from '#lib/studio/document/commands/connector.ts'
import type { SpanOf } from '#lib/studio/document/commands/dimensions.ts'
import { addEntry, newConnector } from '#lib/studio/document/commands/entries.ts'
import { type LinkStart, link, placeNodes, takeOff } from '#lib/studio/document/commands/graph.ts'
import { entryIdOfKey, type NodeRef, ownKey } from '#lib/studio/document/node-ref.ts'
import { positionsOf } from '#lib/studio/document/positions-of.ts'
import type { Shape } from '#lib/studio/document/shapes.ts'
import type { StudioStore } from '#lib/studio/document/store.ts'
import { type Id, newId, type Point, type StudioDocument } from '#lib/studio/document/types.ts'
import type { Session } from '#lib/studio/session.ts'
import { connectorActions, referenceAt } from '../common/connector-actions.ts'
import { type ClipboardSource, clipboardActions } from '../common/transfer.ts'
import type { Graph, GraphNode } from './model/graph-of.ts'
import type { Line } from './model/lines.ts'
import { NODE_WIDTH } from './model/sizes.ts'

/** Reach of the actions of the graph. */
interface GraphActionContext {
  readonly store: StudioStore
  readonly graph: Graph
  /** The entry that the graph is of; undefined for something outside the document. */
  readonly rootId: Id | undefined
  /** The chosen nodes, the current one last. */
  readonly chosen: readonly GraphNode[]
  /** The chosen line of the current node. */
  readonly line: Line | undefined
  readonly places: ReadonlyMap<string, Point>
  readonly shape: Shape | undefined
  readonly spanOf: SpanOf
  readonly focusNode: (key: string) => void
  readonly focusLine: (at: NodeRef) => void
  readonly focusField: (at: NodeRef) => void
  /** Opens the picker for the target of a link. */
  readonly pick: (at: LinkStart) => void
  readonly toggle: (key: string) => void
  readonly open: (kind: 'connector' | 'transformation' | 'condition', name: string) => void
  readonly announce: Session['announce']
}

/** Everything that can be done with what is chosen in the graph: as in the outline, and what only a graph has. */
export function graphActions(
  context: GraphActionContext,
): ClipboardSource & { readonly actions: readonly Action[] } {
  const { store, graph, chosen, line, rootId, announce, open } = context
  const node = chosen.at(-1)
  const entry = node?.state === 'own' ? node.entry : undefined
  const many = chosen.length > 1
  const at = line?.at ?? (entry && ({ kind: 'entry', entryId: entry.id } as const))
  const focusRow = (ref: NodeRef) =>
    ref.kind === 'entry' ? context.focusNode(ownKey(ref.entryId)) : context.focusLine(ref)

  // Read-only nodes show the same actions, disabled, so that the toolbar's height stays.
  const rootEntry = graph.nodes.find(({ root, state }) => root && state === 'own')?.entry
  const subject = entry ?? rootEntry
  const inherited =
    subject &&
    connectorActions({ ...context, entry: subject, at, focusRow, store: keepDetachedNodes(context), open })
  const of = (id: ActionId): Handler | undefined => {
    const handler = inherited?.handlers[id]
    return handler && (entry === undefined ? { ...handler, enabled: false } : handler)
  }
  const own = chosen.flatMap(({ key }): NodeRef[] => {
    const entryId = entryIdOfKey(key)
    return entryId === undefined ? [] : [{ kind: 'entry', entryId }]
  })
  const clip = line === undefined || many ? copy(store.getState().document, own) : undefined
  const copied = clip ? writeClip(clip) : entry && inherited?.copied

  const pasteText = (text: string) => {
    const read = readClip(text)
    if (!read.ok) announce(read.sentence)
    else if (read.clip.of === 'entries') pasteEntries(context, read.clip, 'Paste')
    else if (entry && inherited) inherited.pasteText(text)
    else announce('There is no place for it here: choose one of your own pieces first.')
  }

  const start = linkStart(line)
  const named = nameOf(line)
  const clipboard = clipboardActions({ copied, pasteText }, announce)
  const actions = bindActions({
    'add-call': of('add-call'),
    'add-dimension': of('add-dimension'),
    'add-condition': of('add-condition'),
    start: subject && startAction(context, line),
    'lead-to': subject && {
      enabled: entry !== undefined && start !== undefined,
      run: () => start && context.pick(start),
    },
    'add-connector': rootId === undefined ? undefined : { run: () => addConnector(context) },
    open: {
      enabled: named !== undefined || (line === undefined && node?.entry !== undefined && !node.root),
      run: () => {
        if (named) open(named.kind, named.name)
        else if (node) open('connector', node.name)
      },
    },
    toggle: {
      label: node?.open ? 'Collapse' : 'Expand',
      enabled: node?.entry !== undefined,
      run: () => node && context.toggle(node.key),
    },
    up: of('up'),
    down: of('down'),
    duplicate:
      line === undefined && clip ? { run: () => pasteEntries(context, clip, 'Duplicate') } : of('duplicate'),
    copy: clipboard.copy,
    paste: rootId === undefined ? undefined : clipboard.paste,
    remove:
      line === undefined || many
        ? takeOffAction(context)
        : line.kind === 'start' && entry
          ? {
              run: () => {
                const { position } = line.instance
                store.edit('Free start', (d) => removeRunningInstance(d, { entryId: entry.id, position }))
                context.focusNode(node!.key)
              },
            }
          : of('remove'),
  })
  return { actions, copied, pasteText }
}

/** A store whose edits assign a position to the node that loses the link of the line, so that it stays on the canvas. */
function keepDetachedNodes({ store, rootId, graph, places, line }: GraphActionContext): StudioStore {
  const from = linkStart(line)
  const target = line && graph.links.find((each) => each.line === line.key)?.to
  const at = target && places.get(target)
  if (rootId === undefined || from === undefined || !at) return store
  return {
    ...store,
    edit(label, command, options) {
      store.edit(
        label,
        (before) => {
          const after = command(before)
          const isCut = leadsSomewhere(before, from) === true && leadsSomewhere(after, from) === false
          return isCut ? placeNodes(after, rootId, new Map([[target, at]])) : after
        },
        options,
      )
    },
  }
}

/** Whether there is a link from there; undefined without the dimension that it would start from. */
function leadsSomewhere({ entries }: StudioDocument, from: LinkStart): boolean | undefined {
  const entry = entries.find(({ id }) => id === from.entryId)
  if (entry?.kind !== 'connector' || !entry.dimensions.some(({ id }) => id === from.dimensionId))
    return undefined
  return referenceAt(entry, from.kind === 'dimension' ? { ...from, kind: 'composite' } : from) !== undefined
}

/** Removes a link; its target stays on the canvas. */
export function unlink(context: GraphActionContext, line: Line): void {
  const start = linkStart(line)
  if (start === undefined) return
  keepDetachedNodes({ ...context, line }).edit(
    start.kind === 'binding' ? 'Empty place' : 'Play nothing else',
    (document) => link(document, start, ''),
  )
}

/** Where a link from a line starts; undefined where none can. */
export function linkStart(line: Line | undefined): LinkStart | undefined {
  const at = line?.at
  if (line?.kind === 'slots' || at === undefined) return undefined
  return at.kind === 'dimension' || at.kind === 'composite' || at.kind === 'binding' ? at : undefined
}

function nameOf(line: Line | undefined) {
  if (line?.kind === 'call' && line.call.name)
    return { kind: 'transformation', name: line.call.name } as const
  if (line?.kind === 'condition' && line.condition.name) {
    return { kind: 'condition', name: line.condition.name } as const
  }
  if ((line?.kind === 'composite' || line?.kind === 'slot') && line.name) {
    return { kind: 'connector', name: line.name } as const
  }
  return undefined
}

/** Sets the start of the chosen dimension, for standalone runs of its connector. */
function startAction(context: GraphActionContext, line: Line | undefined): Handler {
  const { store, shape, chosen, focusField } = context
  const node = chosen.at(-1)
  const entry = node?.state === 'own' ? node.entry : undefined
  const index = line !== undefined && 'index' in line ? dimensionIndex(line) : undefined
  const positions = index === undefined || shape === undefined ? undefined : positionsOf(shape)
  const met = entry && positions?.find(({ path }) => path === `/${entry.name}:${index}`)
  return {
    enabled: met !== undefined,
    run: () => {
      if (!entry || !met) return
      const { position } = met
      const at = { kind: 'running-instance', entryId: entry.id, position } as const
      if (!entry.staticRi.some((instance) => instance.position === position)) {
        const instance = { position, startPoint: '0', transformationShift: '0' }
        store.edit('Set start', (d) => setRunningInstance(d, { entryId: entry.id, ...instance }))
      }
      focusField(at)
    },
  }

  function dimensionIndex(of: Line): number | undefined {
    if (!('dimensionId' in of.at)) return undefined
    const { dimensionId } = of.at
    return entry?.dimensions.findIndex(({ id }) => id === dimensionId)
  }
}

/** A new connector beside the current node; nothing plays it yet. */
function addConnector({ store, rootId, chosen, places, focusNode }: GraphActionContext): void {
  if (rootId === undefined) return
  const entryId = newId()
  const at = beside(chosen.at(-1), places)
  store.edit('New piece', (document) => {
    const entry = newConnector(entryId, freeName(document.entries, 'connector', 'my_piece'), newId())
    return placeNodes(addEntry(document, { entry }), rootId, new Map([[ownKey(entryId), at]]))
  })
  focusNode(ownKey(entryId))
}

function pasteEntries(
  { store, rootId, chosen, places, focusNode, announce }: GraphActionContext,
  clip: Parameters<typeof paste>[1],
  label: string,
): void {
  if (rootId === undefined) {
    announce('There is no place for it here: what is published never changes.')
    return
  }
  const first = beside(chosen.at(-1), places)
  const at = { kind: 'entry', entryId: rootId } as const
  const pasted = paste(store.getState().document, clip, { at, newId })
  const added = pasted.added.filter(({ entryId }) =>
    pasted.document.entries.some(({ id, kind }) => id === entryId && kind === 'connector'),
  )
  const spots = added.map(({ entryId }, index): [string, Point] => [
    ownKey(entryId),
    { x: first.x + index * 48, y: first.y + index * 96 },
  ])
  store.edit(label, () => placeNodes(pasted.document, rootId, new Map(spots)))
  const last = added.at(-1)
  if (last) focusNode(ownKey(last.entryId))
  announce(added.length === 0 ? 'Pasted into the list.' : 'Added to the graph; nothing plays it yet.')
}

function beside(node: GraphNode | undefined, places: ReadonlyMap<string, Point>): Point {
  const at = (node && places.get(node.key)) ?? { x: 0, y: 0 }
  const lowest = Math.max(at.y, ...[...places.values()].filter(({ x }) => x === at.x).map(({ y }) => y))
  return { x: at.x + NODE_WIDTH + 96, y: lowest + 24 }
}

function takeOffAction(context: GraphActionContext): Handler {
  const { store, graph, chosen, rootId, focusNode, announce } = context
  const going = chosen.filter((node) => !node.root)
  const shown = new Set(graph.nodes.flatMap(({ key }) => entryIdOfKey(key) ?? []))
  return {
    label: 'Take off',
    enabled: rootId !== undefined && going.some((node) => reachable(node, graph, context)),
    run: () => {
      if (rootId === undefined) return
      const next = graph.links.find(({ to }) => to === going.at(-1)?.key)?.from
      store.edit('Take off the graph', (document) =>
        going.reduce((d, { key, name }) => takeOff(d, { root: rootId, key, name, users: shown }), document),
      )
      focusNode(next ?? ownKey(rootId))
      const names = going.map(({ name }) => name).join(', ')
      announce(`Took ${names} off the graph. Your pieces keep what is yours.`, store.getState().document)
    },
  }
}

/** Checks that a node can be taken off: published connectors never change. */
function reachable(node: GraphNode, graph: Graph, { store, rootId }: GraphActionContext): boolean {
  if (graph.links.some(({ to, editable }) => to === node.key && editable)) return true
  return store.getState().document.places.some((place) => place.entryId === rootId && place.node === node.key)
}
