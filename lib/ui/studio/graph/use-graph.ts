'use client'

import { useMemo, useRef, useState } from 'react'
import { forgetPlaces, placeNodes } from '#lib/studio/document/commands/graph.ts'
import { reuse } from '#lib/studio/document/same.ts'
import type { Point } from '#lib/studio/document/types.ts'
import { useCurrentSession, useDocument, useSession } from '../common/session.tsx'
import { arrange, type Box, type LayoutLink, layOut } from './model/arrange.ts'
import { type Graph, type GraphRoot, graphOf, rootKey } from './model/graph-of.ts'
import { heightOfNode, NODE_WIDTH, startsOf } from './model/sizes.ts'

const EMPTY: Graph = { nodes: [], links: [], left: 0 }

/** The graph of a connector, in which everything that did not change is the same object as before. */
export function useGraph(root: GraphRoot) {
  const document = useDocument()
  const parts = useSession((state) => state.parts)
  const shapes = useSession((state) => state.shapes)
  const problemsAt = useSession((state) => state.problemsAt)
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [allSlots, setAllSlots] = useState<ReadonlySet<string>>(new Set())
  const before = useRef(EMPTY)
  const graph = useMemo(() => {
    const source = { document, parts, shapes, problemsAt, toggled, allSlots }
    const next = graphOf(root, source)
    before.current = {
      nodes: reuse(before.current.nodes, next.nodes),
      links: reuse(before.current.links, next.links),
      left: next.left,
    }
    return before.current
  }, [root, document, parts, shapes, problemsAt, toggled, allSlots])
  return { graph, setToggled, setAllSlots }
}

/** The set with a key that was not in it, or without one that was. */
export function toggledKey(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(set)
  if (!next.delete(key)) next.add(key)
  return next
}

/** Places of the nodes: moved by hand and stored in the document, else laid out. */
export function usePlaces(root: GraphRoot, graph: Graph) {
  const { document: store } = useCurrentSession()
  const all = useSession(({ document }) => document.places)
  const laid = useRef<ReadonlyMap<string, Point>>(new Map())
  const before = useRef<readonly Box[]>([])
  const [turn, setTurn] = useState(0)
  const entryId = 'entryId' in root ? root.entryId : undefined

  const boxes = useMemo(() => {
    const next = graph.nodes.map((node) => ({
      key: node.key,
      width: NODE_WIDTH,
      height: heightOfNode(node),
    }))
    before.current = reuse(before.current, next)
    return before.current
  }, [graph.nodes])

  const bondsBefore = useRef<readonly LayoutLink[]>([])
  const layoutLinks = useMemo(() => {
    const drops = new Map(
      graph.nodes.flatMap((node) => startsOf(node).map(({ line, y }): [string, number] => [line.key, y])),
    )
    const next = graph.links.map(({ key, from, to, line }) => ({ key, from, to, drop: drops.get(line) ?? 0 }))
    bondsBefore.current = reuse(bondsBefore.current, next)
    return bondsBefore.current
  }, [graph.nodes, graph.links])

  const byHand = useMemo(
    () =>
      new Map(
        all
          .filter((place) => place.entryId === entryId)
          .map(({ node, x, y }): [string, Point] => [node, { x, y }]),
      ),
    [all, entryId],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` requests a new layout
  const places = useMemo(() => {
    const known = new Map([...laid.current, ...byHand])
    const next = arrange(boxes, layoutLinks, known, new Set(byHand.keys()))
    // The place from before a move by hand, for when that is undone.
    laid.current = new Map([
      ...laid.current,
      ...[...next].filter(([key]) => !byHand.has(key) || !laid.current.has(key)),
    ])
    return next
  }, [boxes, layoutLinks, byHand, turn])

  const move = (moved: ReadonlyMap<string, Point>) => {
    if (entryId !== undefined)
      store.edit('Move in the graph', (document) => placeNodes(document, entryId, moved))
    else {
      laid.current = new Map([...laid.current, ...moved])
      setTurn((count) => count + 1)
    }
  }

  const layOutAgain = () => {
    const fresh = layOut(boxes, layoutLinks)
    const led = new Set(graph.links.map(({ to }) => to))
    const loose = [...fresh].filter(([key]) => !led.has(key) && key !== rootKey(root))
    laid.current = fresh
    setTurn((count) => count + 1)
    if (entryId !== undefined) {
      store.edit('Lay out', (document) => forgetPlaces(document, entryId, new Map(loose)), {
        merge: 'lay out',
      })
    }
  }

  return { places, boxes, move, layOutAgain }
}
