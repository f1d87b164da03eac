'use client'

import { useSyncExternalStore } from 'react'
import { createValue } from '../document/value.ts'

/** How connectors are edited. Both editors work on the same document and know the same actions. */
export interface EditorChoice {
  readonly editor: 'outline' | 'graph'
  /** Whether the graph takes the whole width, with the results below it. */
  readonly wide: boolean
}

const KEY = 'weft-studio-editor'
const DEFAULT_CHOICE: EditorChoice = { editor: 'outline', wide: false }

/** Narrower windows have the outline only. */
const GRAPH_FITS = '(min-width: 48rem)'

const choice = createValue<EditorChoice | undefined>(undefined)

function read(): EditorChoice {
  const known = choice.get()
  if (known !== undefined) return known
  const stored = readStored()
  choice.set(stored)
  return stored
}

function readStored(): EditorChoice {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    const { editor, wide } = (stored ?? {}) as Partial<EditorChoice>
    return { editor: editor === 'graph' ? 'graph' : 'outline', wide: wide === true }
  } catch {
    // Storage may be disabled or hold another format: then the default applies.
    return DEFAULT_CHOICE
  }
}

function change(next: Partial<EditorChoice>): void {
  const changed = { ...read(), ...next }
  try {
    localStorage.setItem(KEY, JSON.stringify(changed))
  } catch {
    // See above.
  }
  choice.set(changed)
}

/** The chosen editor, stored in this browser. */
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
