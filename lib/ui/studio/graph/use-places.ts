'use client'

import { useMemo, useRef, useState } from 'react'
import { useStudio } from '../context.tsx'
import { arrange, type Bond, type Box, layOut, type Point } from './model/arrange.ts'
import { forgetLayout, place } from './model/commands.ts'
import { type Graph, type GraphRoot, rootKey } from './model/graph-of.ts'
import { reuse } from './model/reuse.ts'
import { heightOfNode, NODE_WIDTH, startsOf } from './model/sizes.ts'

/** Where the nodes of a graph are: put by hand and kept in the document, else laid out. */
export function usePlaces(root: GraphRoot, graph: Graph) {
  const { store, state } = useStudio()
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

  const bondsBefore = useRef<readonly Bond[]>([])
  const bonds = useMemo(() => {
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
        state.document.places
          .filter((kept) => kept.entryId === entryId)
          .map(({ node, x, y }): [string, Point] => [node, { x, y }]),
      ),
    [state.document.places, entryId],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks for a new layout
  const places = useMemo(() => {
    const known = new Map([...laid.current, ...byHand])
    const next = arrange(boxes, bonds, known, new Set(byHand.keys()))
    // What is put by hand comes back here when that is undone.
    laid.current = new Map([
      ...laid.current,
      ...[...next].filter(([key]) => !byHand.has(key) || !laid.current.has(key)),
    ])
    return next
  }, [boxes, bonds, byHand, turn])

  const move = (moved: ReadonlyMap<string, Point>) => {
    if (entryId !== undefined) store.edit('Move in the graph', (document) => place(document, entryId, moved))
    else {
      laid.current = new Map([...laid.current, ...moved])
      setTurn((count) => count + 1)
    }
  }

  const layOutAgain = () => {
    const fresh = layOut(boxes, bonds)
    const led = new Set(graph.links.map(({ to }) => to))
    const loose = [...fresh].filter(([key]) => !led.has(key) && key !== rootKey(root))
    laid.current = fresh
    setTurn((count) => count + 1)
    if (entryId !== undefined) {
      store.edit('Lay out', (document) => forgetLayout(document, entryId, new Map(loose)), {
        merge: 'lay out',
      })
    }
  }

  return { places, boxes, move, layOutAgain }
}
