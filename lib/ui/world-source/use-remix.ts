'use client'

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { WorldSourceView } from '#lib/views/world-source.ts'
import { dropRemix, type Remix, remixBundle, startRemix, storedRemix, storeRemix } from './remix.ts'

/** After the last key: long enough that a word is not sent letter by letter. */
const DEBOUNCE_MS = 900

type State =
  /** `stored`: whether this browser has a remix of the World. */
  | { readonly at: 'reading'; readonly stored: boolean; readonly problem?: string }
  | { readonly at: 'loading' }
  | { readonly at: 'remixing'; readonly remix: Remix; readonly isStored: boolean }

/**
 * The remix of a World that is edited here: begun or taken up again, stored in this browser after each change.
 *
 * @param begin Whether it begins without a press.
 * @param onSettled Called with its bundle when it was opened, and when nothing was typed for a moment.
 */
export function useRemix(
  source: WorldSourceView,
  begin: boolean,
  onSettled: (bundle: ReturnType<typeof remixBundle>) => void,
) {
  const [state, setState] = useState<State>({ at: 'reading', stored: false })
  /** Whether something was typed that no preview shows yet. */
  const [typing, setTyping] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(onSettled)
  latest.current = onSettled
  useEffect(() => () => clearTimeout(timer.current), [])

  const open = async () => {
    setState({ at: 'loading' })
    try {
      const remix = (await storedRemix(source.id)) ?? (await startRemix(source))
      setState({ at: 'remixing', remix, isStored: await storeRemix(source.id, remix) })
      latest.current(remixBundle(source.slug, remix))
    } catch (error) {
      const problem = error instanceof Error ? error.message : 'The files could not be loaded.'
      setState({ at: 'reading', stored: false, problem })
    }
  }
  const opened = useEffectEvent(open)
  useEffect(() => {
    if (begin) void opened()
    else storedRemix(source.id).then((found) => found && setState({ at: 'reading', stored: true }))
  }, [begin, source.id])

  const remix = state.at === 'remixing' ? state.remix : undefined
  /** Remix after the newest change: files from disk arrive after other changes. */
  const newest = useRef(remix)
  newest.current = remix
  return {
    state,
    typing,
    open,
    /** @param changes By path: the content of a file, new or not; undefined removes it. */
    change(changes: ReadonlyMap<string, string | Blob | undefined>) {
      if (newest.current === undefined) return
      const files = new Map(newest.current.files)
      for (const [path, content] of changes) {
        if (content === undefined) files.delete(path)
        else files.set(path, content)
      }
      const next: Remix = { files }
      newest.current = next
      clearTimeout(timer.current)
      setTyping(true)
      timer.current = setTimeout(() => {
        setTyping(false)
        latest.current(remixBundle(source.slug, next))
      }, DEBOUNCE_MS)
      setState({ at: 'remixing', remix: next, isStored: true })
      void storeRemix(source.id, next).then((isStored) => {
        if (!isStored) setState((now) => (now.at === 'remixing' ? { ...now, isStored } : now))
      })
    },
    async discard() {
      clearTimeout(timer.current)
      await dropRemix(source.id)
      setState({ at: 'reading', stored: false })
    },
    /** It is published: what was stored for it is not needed any more. */
    published: () => void dropRemix(source.id),
  }
}
