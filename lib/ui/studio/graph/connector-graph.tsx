'use client'

import '@xyflow/react/dist/base.css'
import { ReactFlowProvider } from '@xyflow/react'
import { useMemo, useState } from 'react'
import type { Id } from '../document/types.ts'
import { GraphEditor } from './graph-editor.tsx'
import type { GraphRoot } from './model/graph-of.ts'

/** A connector as a graph of what it is made of: an entry of the document to edit, or a published one to read. */
export function ConnectorGraph({ root }: { root: GraphRoot }) {
  const [entryId, name]: [Id | undefined, string | undefined] =
    'entryId' in root ? [root.entryId, undefined] : [undefined, root.name]
  const stable = useMemo<GraphRoot>(
    () => (entryId === undefined ? { name: name ?? '' } : { entryId }),
    [entryId, name],
  )
  // Told apart from other graphs that were here before.
  const [id] = useState(() => `graph-${Math.random().toString(36).slice(2)}`)
  return (
    <ReactFlowProvider>
      <GraphEditor root={stable} id={id} />
    </ReactFlowProvider>
  )
}
