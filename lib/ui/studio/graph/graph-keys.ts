import type { KeyboardEvent } from 'react'
import { keyOf } from '#lib/browser/shortcut.ts'
import { type Action, type ActionId, actionAt } from '#lib/studio/actions.ts'
import type { LinkStart } from '#lib/studio/document/commands/graph.ts'
import type { Point } from '#lib/studio/document/types.ts'
import type { Graph, GraphNode } from './model/graph-of.ts'
import type { Line } from './model/lines.ts'
import type { View } from './use-view.ts'

const STEP = 20

/** Offsets of the arrow keys, in pixels. */
export const NUDGES: Readonly<Record<string, Point>> = {
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
}

export function nodeSelector(key: string): string {
  return `[data-node="${CSS.escape(key)}"]`
}
export function lineSelector(key: string): string {
  return `[data-line="${CSS.escape(key)}"]`
}

interface GraphKeyContext {
  readonly graph: Graph
  readonly places: ReadonlyMap<string, Point>
  readonly actions: readonly Action[]
  readonly view: View
  /** Key of the node of the graph's own connector. */
  readonly top: string
  /** The chosen nodes, the current one last. */
  readonly chosen: readonly GraphNode[]
  /** The chosen line of the current node. */
  readonly line: Line | undefined
  readonly focusNode: (key: string) => void
  readonly focusLine: (node: string, line: string) => void
  readonly toggle: (node: string) => void
  readonly toggleSlots: (composite: string) => void
  readonly pick: (at: LinkStart) => void
  readonly move: (places: ReadonlyMap<string, Point>) => void
  readonly layOut: () => void
}

/** The keyboard of the graph: arrows between nodes and lines, Enter into them, Escape back, and the actions' shortcuts. */
export function graphKeyHandler(context: GraphKeyContext): (event: KeyboardEvent) => void {
  const { graph, places, actions, view, chosen, line, focusNode, toggle } = context
  const node = chosen.at(-1)

  /** Focuses a line of the current node by its index; the node itself for a negative index. */
  const step = (index: number) => {
    if (!node) return
    const next = node.lines[Math.min(index, node.lines.length - 1)]
    if (index < 0 || next === undefined) focusNode(node.key)
    else context.focusLine(node.key, next.key)
  }

  const nudge = (by: Point) => {
    const moved = chosen.flatMap(({ key }): [string, Point][] => {
      const at = places.get(key)
      return at ? [[key, { x: at.x + by.x, y: at.y + by.y }]] : []
    })
    context.move(new Map(moved))
  }

  /** Focuses the first field of the line, or follows its link. */
  const enterLine = (current: GraphNode, of: Line) => {
    const target = graph.links.find(({ line: from }) => from === of.key)?.to
    if (of.kind === 'slots') context.toggleSlots(of.key.slice('slots '.length))
    else if (current.state !== 'own') {
      if (target !== undefined) focusNode(target)
    } else if (of.kind === 'dimension') {
      if (of.scalar) context.pick(of.at as LinkStart)
      else step(current.lines.indexOf(of) + 1)
    } else view.focusField(current.key, `${lineSelector(of.key)} [data-field]`)
  }

  /** Keys of the canvas itself. */
  const ofCanvas: Partial<Record<ActionId, (current: GraphNode) => void>> = {
    closer: () => view.zoom(1.25),
    further: () => view.zoom(0.8),
    fit: () => view.fit(),
    'lay-out': () => context.layOut(),
    rename: ({ key }) => view.focusField(key, `${nodeSelector(key)} [data-name]`),
  }

  /** @returns whether the key has a meaning here. */
  const handleKey = (key: string, current: GraphNode): boolean => {
    const index = line === undefined ? -1 : current.lines.indexOf(line)
    if (key === 'Home') focusNode(context.top)
    else if (key === 'Escape') focusNode(current.key)
    else if (line !== undefined) {
      if (key === 'ArrowDown') step(index + 1)
      else if (key === 'ArrowUp') step(index - 1)
      else if (key === 'ArrowLeft') focusNode(current.key)
      else if (key === 'ArrowRight' || key === 'Enter') enterLine(current, line)
      else return false
    } else if (key === 'Enter') {
      if (current.open) step(0)
      else toggle(current.key)
    } else if (key.startsWith('Arrow')) {
      const next = neighbour(key, current.key, graph.links, places)
      if (next !== undefined) focusNode(next)
    } else return false
    return true
  }

  return (event) => {
    // A World is no part of the document.
    if ((event.target as Element).closest('[data-world]')) return
    const inField = event.target instanceof HTMLInputElement
    const plain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey
    if (inField && (event.key === 'Escape' || (event.key === 'Enter' && plain)) && node) {
      event.preventDefault()
      if (event.key === 'Enter') step(line === undefined ? 0 : node.lines.indexOf(line) + 1)
      else if (line) view.focus(node.key, lineSelector(line.key))
      else focusNode(node.key)
      return
    }
    const onButton = event.target instanceof HTMLButtonElement
    if (onButton && (event.key === 'Enter' || event.key === ' ')) return
    const id = actionAt(inField ? 'field' : 'node', event)
    const action = actions.find((each) => each.id === id && !each.native)
    // What cannot move a line moves the node.
    if (action !== undefined && (action.enabled || !event.altKey)) {
      event.preventDefault()
      if (action.enabled) action.run()
      return
    }
    if (inField || !node) return
    const nudged = event.altKey && line === undefined ? NUDGES[event.key] : undefined
    if (nudged !== undefined) {
      event.preventDefault()
      nudge(nudged)
      return
    }
    const canvas = id && ofCanvas[id]
    if (canvas) canvas(node)
    else if (!plain || !handleKey(keyOf(event), node)) return
    event.preventDefault()
  }
}

/**
 * The node that an arrow key leads to: along a link where there is one, else the nearest in that direction.
 *
 * @returns undefined when there is none.
 */
export function neighbour(
  key: string,
  from: string,
  links: readonly { readonly from: string; readonly to: string }[],
  places: ReadonlyMap<string, Point>,
): string | undefined {
  const linked =
    key === 'ArrowRight'
      ? links.find((link) => link.from === from && link.to !== from)?.to
      : key === 'ArrowLeft'
        ? links.find((link) => link.to === from && link.from !== from)?.from
        : undefined
  if (linked !== undefined) return linked
  const here = places.get(from)
  if (here === undefined) return undefined
  let best: { readonly node: string; readonly distance: number } | undefined
  for (const [node, { x, y }] of places) {
    const [dx, dy] = [x - here.x, y - here.y]
    const along = { ArrowRight: dx, ArrowLeft: -dx, ArrowDown: dy, ArrowUp: -dy }[key] ?? 0
    if (node === from || along <= 0) continue
    const aside = key === 'ArrowRight' || key === 'ArrowLeft' ? Math.abs(dy) : Math.abs(dx)
    const distance = along + aside * 2
    if (best === undefined || distance < best.distance) best = { node, distance }
  }
  return best?.node
}
