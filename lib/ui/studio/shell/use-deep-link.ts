'use client'

import { useEffect } from 'react'
import { useStudio } from '../context.tsx'
import { fork } from '../library/fork.ts'
import { readDeepLink, withoutDeepLink } from './deep-link.ts'

/** Does what the address of the page asks for, once the work is open. */
export function useDeepLink(): void {
  const { store, library, openTab, openName, say } = useStudio()
  useEffect(() => {
    // Read each time and not kept: what has been done is gone from the address, however often effects run.
    const link = readDeepLink(window.location.search)
    if (link === undefined) return
    const { action, kind, name } = link
    const done = () => window.history.replaceState(null, '', withoutDeepLink(window.location.href))
    // What people hold themselves shows more of a body than what everybody sees.
    const show = () =>
      kind === 'connector' ? openTab({ kind: 'published', entity: kind, name }) : openName(kind, name)
    if (action === 'open') {
      show()
      done()
      return
    }
    const found = library.find(kind, name)
    if (found === 'unknown') {
      say(`Looking up ${name} to fork it…`)
      return
    }
    done()
    if (found !== 'absent' && found.kind === 'connector') {
      const entry = fork(store, found)
      openTab({ kind: 'entry', entryId: entry.id })
      say(`Forked ${name} as ${entry.name}.`)
      return
    }
    show()
    say(
      found === 'absent'
        ? `There is no ${kind} called ${name} to fork.`
        : `Only connectors can be forked: the source of ${name} stays with its author.`,
    )
  }, [store, library, openTab, openName, say])
}
