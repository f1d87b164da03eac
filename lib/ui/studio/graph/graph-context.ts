'use client'

import { createContext, useContext } from 'react'
import type { EditOptions } from '#lib/studio/document/store.ts'
import type { StudioDocument } from '#lib/studio/document/types.ts'

/** Stable callbacks for nodes and links, so that typing renders only the node it changes. */
export interface GraphTools {
  readonly choose: (node: string, line: string | undefined) => void
  /** Shows or hides what a connector is made of. */
  readonly toggle: (node: string) => void
  /** Lists all open slots of a composite, or only a few. */
  readonly toggleSlots: (composite: string) => void
  readonly edit: (
    label: string,
    command: (document: StudioDocument) => StudioDocument,
    options?: EditOptions,
  ) => void
}

/** Detail of a node that there is room for at the present zoom. */
export type Detail = 'all' | 'text' | 'name'

/** Below this, fields would be too small to hit. */
export const FIELDS_FROM = 0.8
const TEXT_FROM = 0.42

export function detailAt(zoom: number): Detail {
  // A view that was fitted may miss the step by a rounding error.
  if (zoom >= FIELDS_FROM - 0.001) return 'all'
  return zoom >= TEXT_FROM ? 'text' : 'name'
}

export const GraphToolsContext = createContext<GraphTools | undefined>(undefined)
export const DetailContext = createContext<Detail>('all')

export function useGraphTools(): GraphTools {
  const tools = useContext(GraphToolsContext)
  if (tools === undefined) throw new Error('A node needs a graph around it')
  return tools
}
