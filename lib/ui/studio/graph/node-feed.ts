'use client'

import { createContext, useContext, useSyncExternalStore } from 'react'
import type { GraphNode } from './model/graph-of.ts'

/** What a node draws. */
export interface NodeData {
  readonly node: GraphNode
  /** Whether it is the current one. */
  readonly chosen: boolean
  /** The chosen line of it. */
  readonly line: string | undefined
}

/**
 * Hands each node what it draws, past the canvas: the canvas knows places and sizes only. So typing into a node draws
 * that node, and nothing asks the hundreds of others and their links whether it was they who changed.
 */
export class NodeFeed {
  #data: ReadonlyMap<string, NodeData> = new Map()
  #told: ReadonlyMap<string, NodeData> = new Map()
  readonly #listeners = new Map<string, Set<() => void>>()

  get(key: string): NodeData | undefined {
    return this.#data.get(key)
  }

  /** What nodes read from now on. They are told by `tell`, once it is drawn around them. */
  put(data: ReadonlyMap<string, NodeData>): void {
    this.#data = data
  }

  tell(): void {
    const [before, now] = [this.#told, this.#data]
    this.#told = now
    for (const [key, listeners] of this.#listeners) {
      if (before.get(key) !== now.get(key)) for (const listener of [...listeners]) listener()
    }
  }

  listen(key: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(key) === listeners) this.#listeners.delete(key)
    }
  }
}

export const NodeFeedContext = createContext<NodeFeed | undefined>(undefined)

/** What the node of this key draws; undefined once it is gone. */
export function useNodeData(key: string): NodeData | undefined {
  const feed = useContext(NodeFeedContext)
  if (feed === undefined) throw new Error('A node needs a feed around it')
  return useSyncExternalStore(
    (listener) => feed.listen(key, listener),
    () => feed.get(key),
    () => undefined,
  )
}
