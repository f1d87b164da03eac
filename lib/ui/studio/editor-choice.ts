'use client'

import { useSyncExternalStore } from 'react'

/** How connectors are edited. Both editors work on the same document and know the same actions. */
export interface EditorChoice {
  readonly editor: 'outline' | 'graph'
  /** Whether the graph takes the whole width, with the results below it. */
  readonly wide: boolean
}

const KEY = 'weft-studio-editor'
const FIRST: EditorChoice = { editor: 'outline', wide: false }

/** Narrower windows have the outline only. */
const ROOM = '(min-width: 48rem)'

let choice: EditorChoice | undefined
const listeners = new Set<() => void>()

function read(): EditorChoice {
  if (choice !== undefined) return choice
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    const known = typeof kept === 'object' && kept !== null ? (kept as Partial<EditorChoice>) : {}
    choice = { editor: known.editor === 'graph' ? 'graph' : 'outline', wide: known.wide === true }
  } catch {
    // Storage may be switched off, or hold what somebody else wrote: then it begins anew.
    choice = FIRST
  }
  return choice
}

function change(next: Partial<EditorChoice>): void {
  choice = { ...read(), ...next }
  try {
    localStorage.setItem(KEY, JSON.stringify(choice))
  } catch {
    // See above.
  }
  for (const listener of [...listeners]) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The editor somebody chose, remembered in this browser. */
export function useEditorChoice(): readonly [EditorChoice, (next: Partial<EditorChoice>) => void] {
  return [useSyncExternalStore(subscribe, read, () => FIRST), change]
}

function subscribeRoom(listener: () => void): () => void {
  const query = matchMedia(ROOM)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the window is wide enough for the graph. */
export function useRoomForGraph(): boolean {
  return useSyncExternalStore(
    subscribeRoom,
    () => matchMedia(ROOM).matches,
    () => false,
  )
}
