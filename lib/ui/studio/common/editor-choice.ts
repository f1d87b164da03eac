'use client'

import { useSyncExternalStore } from 'react'
import { browserMemory } from '#lib/browser/memory.ts'
import { createValue } from '#lib/browser/value.ts'

/** Views of a result: the visible name of each, and the one that is read out. */
export const RESULT_VIEWS = [
  ['world', 'World', 'World'],
  ['lines', 'Lines', 'Lines'],
  ['roll', 'Roll', 'Piano roll'],
  ['heat', 'Heat', 'Heat map'],
  ['table', 'Table', 'Table'],
] as const
export type ResultView = (typeof RESULT_VIEWS)[number][0]

/**
 * Editor of connectors, view of their results, and widths of the panes. All editors work on the same document and know the
 * same actions.
 */
export interface EditorChoice {
  readonly editor: 'score' | 'list' | 'graph'
  /** Width of the parts pane in pixels. */
  readonly parts: number
  /** Whether the parts pane is folded away. */
  readonly folded: boolean
  /** Share of the result pane in what editor and result have together, in percent. */
  readonly result: number
  /** By default the Worlds where there are any, else lines. */
  readonly view?: ResultView | undefined
  /** Whether the details of a result are open. */
  readonly details?: boolean | undefined
}

/** Least and most that a pane can be given. */
export const PANE_LIMITS = { parts: [160, 420], result: [25, 70] } as const

const KEY = 'weft-studio-editor'
const DEFAULT_CHOICE: EditorChoice = { editor: 'score', parts: 224, folded: false, result: 46 }

/** Narrower windows have the outline only. */
const GRAPH_FITS = '(min-width: 48rem)'

const choice = createValue<EditorChoice | undefined>(undefined)

function read(): EditorChoice {
  const known = choice.getState()
  if (known !== undefined) return known
  const stored = readStored()
  choice.setState(stored)
  return stored
}

function readStored(): EditorChoice {
  try {
    return { ...DEFAULT_CHOICE, ...JSON.parse(browserMemory.read(KEY) ?? '{}') }
  } catch {
    return DEFAULT_CHOICE
  }
}

function change(next: Partial<EditorChoice>): void {
  const changed = { ...read(), ...next }
  browserMemory.write(KEY, JSON.stringify(changed))
  choice.setState(changed)
}

/** The chosen editor, views and sizes of the panes, stored in this browser. */
export function useEditorChoice(): readonly [EditorChoice, (next: Partial<EditorChoice>) => void] {
  return [useSyncExternalStore(choice.subscribe, read, () => DEFAULT_CHOICE), change]
}

/** Whether the window is wide enough for the graph. */
export function useGraphFits(): boolean {
  return useMediaQuery(GRAPH_FITS, false)
}

/** Whether a media query matches. @param onServer Its value while rendering on the server. */
export function useMediaQuery(query: string, onServer: boolean): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
    () => onServer,
  )
}
