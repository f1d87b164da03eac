import type { ConnectorDefinition } from '#lib/protocol/definition.ts'
import { entryOf } from '#lib/studio/document/definition.ts'
import { memoizeByObject } from '#lib/studio/document/memoize.ts'
import { outsideKey, ownKey, refKey } from '#lib/studio/document/node-ref.ts'
import type { Part, Parts } from '#lib/studio/document/parts.ts'
import type { Problem } from '#lib/studio/document/problem.ts'
import type { Shape, Shapes } from '#lib/studio/document/shapes.ts'
import type { ConnectorEntry, Id, StudioDocument } from '#lib/studio/document/types.ts'
import { type Line, linesOf } from './lines.ts'

/** A connector in the graph. Used several times, it is still one node: changing it changes all of its uses. */
export interface GraphNode {
  readonly key: string
  readonly name: string
  /**
   * - `own`: an entry of the document. The others are outside it and read-only.
   * - `draft`: a draft on the server. `absent`: does not exist. `unknown`: not fetched yet.
   */
  readonly state: 'own' | 'published' | 'draft' | 'absent' | 'unknown'
  /** Its own entry; undefined while that is not known. */
  readonly entry: ConnectorEntry | undefined
  /** The connector that the graph is of. */
  readonly root: boolean
  /** Whether lines and parts are shown. */
  readonly open: boolean
  readonly lines: readonly Line[]
  /** Problems of the connector as a whole. */
  readonly problems: readonly Problem[]
}

/** A line between a dimension, or a slot of it, and the connector it leads to. */
export interface GraphLink {
  readonly key: string
  readonly from: string
  /** Key of the line in `from` that it starts at. */
  readonly line: string
  readonly to: string
  /** The slot it fills; undefined for a composite. */
  readonly slot: number | undefined
  /** Index of its dimension. */
  readonly index: number
  readonly editable: boolean
}

export interface Graph {
  readonly nodes: readonly GraphNode[]
  readonly links: readonly GraphLink[]
  /** Connectors that there was no room for. */
  readonly left: number
}

/** Root of a graph: an entry of the document, or something outside it. */
export type GraphRoot = { readonly entryId: Id } | { readonly name: string }

/** Sources of a graph. */
export interface GraphSource {
  readonly document: StudioDocument
  readonly parts: Parts
  readonly shapes: Shapes
  readonly problemsAt: ReadonlyMap<string, readonly Problem[]>
  /** Keys of nodes that are not as they are at first: own ones are open at first, the others closed. */
  readonly toggled: ReadonlySet<string>
  readonly allSlots: ReadonlySet<string>
}

/** Most nodes of one graph. */
const MAX_NODES = 800
const NONE: readonly Problem[] = []

export function rootKey(root: GraphRoot): string {
  return 'entryId' in root ? ownKey(root.entryId) : outsideKey(root.name)
}

/**
 * The connectors below a connector, each once, with the links between them, and those placed by hand without a link,
 * in breadth-first order.
 */
export function graphOf(root: GraphRoot, source: GraphSource): Graph {
  const nodes = new Map<string, GraphNode>()
  const links: GraphLink[] = []
  const left = new Set<string>()
  const met = new Set<string>()
  const open: { readonly key: string; readonly name: string; readonly part: Part }[] = []
  const top = rootKey(root)
  const entries = new Map(source.document.entries.map((entry) => [entry.id, entry]))

  const meet = (name: string, part: Part): string | undefined => {
    const key =
      typeof part === 'object' && part.from === 'document' ? ownKey(part.entry.id) : outsideKey(name)
    if (met.has(key)) return key
    if (met.size >= MAX_NODES) {
      left.add(key)
      return undefined
    }
    met.add(key)
    open.push({ key, name, part })
    return key
  }

  if ('entryId' in root) {
    const entry = entries.get(root.entryId)
    if (entry?.kind !== 'connector') return { nodes: [], links: [], left: 0 }
    meet(entry.name, { from: 'document', entry })
    // After the root, so that they are last in every layout.
    for (const place of source.document.places) {
      if (place.entryId !== root.entryId || place.node === top) continue
      const own = place.node.startsWith('own/') ? entries.get(place.node.slice(4)) : undefined
      if (own?.kind === 'connector') meet(own.name, { from: 'document', entry: own })
      else if (place.node.startsWith('outside/')) {
        const name = place.node.slice(8)
        meet(name, source.parts.outside('connector', name))
      }
    }
  } else meet(root.name, source.parts.outside('connector', root.name))

  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const node = nodeOf(next, top, source)
    nodes.set(node.key, node)
    for (const line of node.lines) {
      if ((line.kind !== 'composite' && line.kind !== 'slot') || line.name === '') continue
      const part =
        node.state === 'own'
          ? source.parts.find('connector', line.name)
          : source.parts.outside('connector', line.name)
      const to = meet(line.name, part)
      if (to === undefined) continue
      links.push({
        key: `${node.key} ${line.key}`,
        from: node.key,
        line: line.key,
        to,
        slot: line.kind === 'slot' ? line.slot : undefined,
        index: line.index,
        editable: node.state === 'own',
      })
    }
  }
  return { nodes: [...nodes.values()], links, left: left.size }
}

function nodeOf(
  { key, name, part }: { readonly key: string; readonly name: string; readonly part: Part },
  top: string,
  source: GraphSource,
): GraphNode {
  const own = typeof part === 'object' && part.from === 'document'
  const entry = entryOfPart(part)
  const root = key === top
  const open = entry !== undefined && (own || root) !== source.toggled.has(key)
  const shape =
    entry === undefined ? undefined : known(own ? source.shapes.ofEntry(entry) : source.shapes.ofName(name))
  const problemsAt = (at: string) => (own ? (source.problemsAt.get(at) ?? NONE) : NONE)
  const lines = open
    ? linesOf(entry, {
        part: own ? source.parts.find : source.parts.outside,
        shapeOfName: (composite) => known(source.shapes.ofName(composite)),
        shape,
        problemsAt,
        allSlots: source.allSlots,
      })
    : []
  return {
    key,
    name: entry?.name ?? name,
    state: stateOf(part),
    entry,
    root,
    open,
    lines,
    problems: entry === undefined ? NONE : problemsAt(refKey({ kind: 'entry', entryId: entry.id })),
  }
}

function known(shape: Shape | string): Shape | undefined {
  return typeof shape === 'string' ? undefined : shape
}

function stateOf(part: Part): GraphNode['state'] {
  if (typeof part === 'string') return part
  if (part.from === 'document') return 'own'
  return part.entity.address === undefined ? 'draft' : 'published'
}

/** The connector of a part as an entry, the same one each time. */
function entryOfPart(part: Part): ConnectorEntry | undefined {
  if (typeof part === 'string') return undefined
  if (part.from === 'document') return part.entry.kind === 'connector' ? part.entry : undefined
  return part.entity.kind === 'connector' ? outsideEntryOf(part.entity.definition) : undefined
}

const outsideEntryOf = memoizeByObject((definition: ConnectorDefinition) => {
  let next = 0
  return entryOf(definition, () => `outside/${definition.name}/${next++}`)
})
