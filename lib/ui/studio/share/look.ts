import { useCallback, useEffect, useRef, useState } from 'react'
import { NoAnswer, Refusal } from '#lib/browser/requests.ts'
import { withDocument, withFreeIdentity } from '#lib/studio/document/adopt.ts'
import type { FileRead } from '#lib/studio/document/file.ts'
import { MAX_ENTRIES } from '#lib/studio/document/schema.ts'
import { createStudioStore } from '#lib/studio/document/store.ts'
import { EMPTY_VIEW, newId, withTab } from '#lib/studio/document/types.ts'
import { openDraft, readSharedAddress, type SharedAddress, unpackDraft } from '#lib/studio/keep/link.ts'
import { readSharedDraft, TooNew } from '#lib/studio/keep/server.ts'
import { createSession, type Session, type Surroundings } from '#lib/studio/session.ts'

/** A shared draft as it is looked at: edited and played apart from one's own work, and stored nowhere. */
export interface Look {
  readonly name: string
  readonly session: Session
}

export type LookState =
  | { readonly kind: 'none' }
  | { readonly kind: 'opening' }
  | { readonly kind: 'failed'; readonly sentence: string }
  | { readonly kind: 'open'; readonly look: Look }

const NONE: LookState = { kind: 'none' }

/**
 * The draft that the address of the page leads to. The address stays until the look is left, so that a reload and a
 * bookmark lead to it again; back in the browser then leads to it with what was changed in it.
 */
export function useLook(
  surroundings: Surroundings,
): readonly [LookState, leave: (replace?: boolean) => void] {
  const [state, setState] = useState(NONE)
  const opened = useRef(new Map<string, LookState>())
  useEffect(() => {
    let latest = 0
    const follow = () => {
      const address = readSharedAddress(window.location.hash)
      latest += 1
      const own = latest
      const { hash } = window.location
      const before = address === undefined ? NONE : opened.current.get(hash)
      if (address === undefined || before !== undefined) return setState(before ?? NONE)
      setState({ kind: 'opening' })
      void openLook(address, surroundings).then((next) => {
        if (next.kind === 'open') opened.current.set(hash, next)
        if (own === latest) setState(next)
      })
    }
    follow()
    window.addEventListener('hashchange', follow)
    return () => {
      latest += 1
      window.removeEventListener('hashchange', follow)
    }
  }, [surroundings])
  const leave = useCallback((replace = false) => {
    const { pathname, search } = window.location
    window.history[replace ? 'replaceState' : 'pushState'](null, '', pathname + search)
    setState(NONE)
  }, [])
  return [state, leave]
}

async function openLook(address: SharedAddress, surroundings: Surroundings): Promise<LookState> {
  let read: FileRead
  let called: string | undefined
  if (address.kind === 'draft') read = await unpackDraft(address.packed)
  else {
    try {
      const { name, document } = await readSharedDraft(address.id)
      called = name
      read = openDraft({ ok: true, document, view: EMPTY_VIEW })
    } catch (error) {
      return { kind: 'failed', sentence: sentenceOf(error) }
    }
  }
  if (!read.ok) return { kind: 'failed', sentence: read.problems.join(' ') }
  const { document, view } = read
  const front = document.entries.find(({ id }) => view.active === `entry/${id}`)
  const name = called ?? (front?.name || 'a draft')
  return {
    kind: 'open',
    look: { name, session: createSession(surroundings, createStudioStore({ document, view })) },
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof NoAnswer) return 'The site does not answer. Reload the page when you are back online.'
  if (error instanceof TooNew) {
    return 'This link was made by a newer version of the studio. Reload the page and try again.'
  }
  if (error instanceof Refusal && error.status === 404) return error.message
  return 'This link cannot be opened now. Reload the page in a moment.'
}

/**
 * Adds a look to one's own work under free names, as one step of undo, and brings it to the front.
 *
 * @returns a sentence for the reader.
 */
export async function keepLook(
  { name, session: { document: store } }: Look,
  { document: own, library }: Session,
): Promise<{ readonly kept: boolean; readonly sentence: string }> {
  const before = own.getState().document
  const room = MAX_ENTRIES - before.entries.length
  if (store.getState().document.entries.length > room) {
    return {
      kept: false,
      sentence: `A workspace has at most ${MAX_ENTRIES.toLocaleString('en')} entries. Leave this, make a new workspace, and open the link again.`,
    }
  }
  const added = await withFreeIdentity(store.getState(), before, library, newId)
  own.edit(`Keep ${name}`, (document) => withDocument(document, added.document))
  own.setView((view) => {
    const opened = added.view.tabs.reduce(withTab, view)
    const active = added.view.tabs.some(
      (tab) => tab.kind === 'entry' && `entry/${tab.entryId}` === added.view.active,
    )
    return active ? { ...opened, active: added.view.active } : opened
  })
  return { kept: true, sentence: `Kept ${name} in your work.` }
}
