'use client'

import { createContext, useContext, useSyncExternalStore } from 'react'
import type { EditOptions } from '../document/store.ts'
import type { StudioDocument } from '../document/types.ts'
import type { GraphNode } from './model/graph-of.ts'

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

/** How much of a node there is room to show at the present zoom. */
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

/** What a node draws. */
export interface NodeData {
  readonly node: GraphNode
  /** Whether it is the current one. */
  readonly chosen: boolean
  /** The chosen line of it. */
  readonly line: string | undefined
}

/**
 * Content of nodes by key, passed around React Flow, which gets positions and sizes only: typing in a node renders
 * that node and none of the others.
 */
export class NodeStore {
  #data: ReadonlyMap<string, NodeData> = new Map()
  #emitted: ReadonlyMap<string, NodeData> = new Map()
  readonly #listeners = new Map<string, Set<() => void>>()

  get(key: string): NodeData | undefined {
    return this.#data.get(key)
  }

  /** Sets the content; listeners are notified by `emit`, after render. */
  set(data: ReadonlyMap<string, NodeData>): void {
    this.#data = data
  }

  emit(): void {
    const [before, now] = [this.#emitted, this.#data]
    this.#emitted = now
    for (const [key, listeners] of this.#listeners) {
      if (before.get(key) !== now.get(key)) for (const listener of [...listeners]) listener()
    }
  }

  subscribe(key: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(key) === listeners) this.#listeners.delete(key)
    }
  }
}

export const NodeStoreContext = createContext<NodeStore | undefined>(undefined)

/** The content of a node; undefined once it is removed. */
export function useNodeData(key: string): NodeData | undefined {
  const nodeStore = useContext(NodeStoreContext)
  if (nodeStore === undefined) throw new Error('A node needs a feed around it')
  return useSyncExternalStore(
    (listener) => nodeStore.subscribe(key, listener),
    () => nodeStore.get(key),
    () => undefined,
  )
}
