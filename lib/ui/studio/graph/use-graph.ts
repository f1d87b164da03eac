'use client'

import { useMemo, useRef, useState } from 'react'
import { useStudio } from '../context.tsx'
import type { Problem } from '../document/problem.ts'
import type { Id } from '../document/types.ts'
import { type Graph, type GraphRoot, graphOf } from './model/graph-of.ts'
import { reuse } from './model/reuse.ts'

const NONE: readonly Problem[] = []
const EMPTY: Graph = { nodes: [], links: [], left: 0 }

/** The graph of a connector, in which everything that did not change is the same object as before. */
export function useGraph(root: GraphRoot) {
  const { state, parts, shapes, problems, problemsAt } = useStudio()
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [allSlots, setAllSlots] = useState<ReadonlySet<string>>(new Set())
  const before = useRef(EMPTY)
  const { document } = state
  const problemsIn = useMemo(() => {
    const groups = Map.groupBy(problems, ({ at }) => at.entryId)
    return (entryId: Id) => groups.get(entryId) ?? NONE
  }, [problems])
  const graph = useMemo(() => {
    const look = { document, parts, shapes, problemsAt, problemsIn, toggled, allSlots }
    const next = graphOf(root, look)
    before.current = {
      nodes: reuse(before.current.nodes, next.nodes),
      links: reuse(before.current.links, next.links),
      left: next.left,
    }
    return before.current
  }, [root, document, parts, shapes, problemsAt, problemsIn, toggled, allSlots])
  return { graph, setToggled, setAllSlots }
}

/** The set with a key that was not in it, or without one that was. */
export function flipped(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(set)
  if (!next.delete(key)) next.add(key)
  return next
}
