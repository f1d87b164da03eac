'use client'

import { useCallback, useMemo, useRef, useState } from 'react'
import { entryIdOfKey, type NodeRef, ownKey, refKey } from '#lib/studio/document/node-ref.ts'
import { useCurrentSession, useSession } from '../common/session.tsx'
import type { GraphNode } from './model/graph-of.ts'
import type { Line } from './model/lines.ts'

export interface Choice {
  /** The last one is the current one. */
  readonly nodes: readonly string[]
  /** Line of the current node; undefined for the node as a whole. */
  readonly line: string | undefined
}

const NOTHING: Choice = { nodes: [], line: undefined }

/**
 * Selection in the graph. Of the document's own connectors that is the selection of the studio, shared with the
 * outline; what is outside the document can be chosen here only.
 */
export function useChoice(nodes: readonly GraphNode[], top: string) {
  const { document: store } = useCurrentSession()
  const [picked, setPicked] = useState(NOTHING)
  const mine = useRef<readonly NodeRef[]>(undefined)
  const byKey = useMemo(() => new Map(nodes.map((node) => [node.key, node])), [nodes])
  const latest = useRef(byKey)
  latest.current = byKey

  const selection = useSession((state) => state.selection)
  const isMine = selection === mine.current
  const choice = useMemo((): Choice => {
    if (isMine) {
      const there = picked.nodes.filter((key) => byKey.has(key))
      const current = byKey.get(there.at(-1) ?? '')
      if (current !== undefined) {
        return {
          nodes: there,
          line: current.lines.some(({ key }) => key === picked.line) ? picked.line : undefined,
        }
      }
    }
    const own = selection.filter((at) => byKey.has(ownKey(at.entryId)))
    const last = own.at(-1)
    if (last === undefined) return { nodes: byKey.has(top) ? [top] : [], line: undefined }
    const chosen = [...new Set(own.map(({ entryId }) => ownKey(entryId)))]
    return {
      nodes: chosen,
      line: chosen.length === 1 ? lineOf(byKey.get(chosen[0]!), last)?.key : undefined,
    }
  }, [isMine, selection, picked, byKey, top])

  const choose = useCallback(
    (keys: readonly string[], line: string | undefined) => {
      const refs = keys.flatMap((key): NodeRef[] => {
        const entryId = entryIdOfKey(key)
        if (entryId === undefined) return []
        const match = latest.current.get(key)?.lines.find((other) => other.key === line)
        return [match?.at ?? { kind: 'entry', entryId }]
      })
      const before = store.getState().selection
      // An unchanged selection notifies no listeners.
      const same = refs.length === before.length && refs.every((at, i) => refKey(at) === refKey(before[i]!))
      mine.current = same ? before : refs
      setPicked((old) =>
        old.line === line && old.nodes.length === keys.length && old.nodes.every((key, i) => key === keys[i])
          ? old
          : { nodes: keys, line },
      )
      if (!same) store.select(refs)
    },
    [store],
  )

  return { choice, choose, byKey, isMine }
}

/** The line of a node that shows what a reference means. */
export function lineOf(node: GraphNode | undefined, at: NodeRef): Line | undefined {
  if (node === undefined || at.kind === 'entry') return undefined
  const key = refKey(at)
  const line = node.lines.find((other) => other.key === key)
  // A scalar has no line for what it leads to.
  if (line !== undefined || at.kind !== 'composite') return line
  return node.lines.find((other) => other.key === refKey({ ...at, kind: 'dimension' }))
}
