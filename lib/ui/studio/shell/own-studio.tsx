'use client'

import { useEffect, useState } from 'react'
import { Notice } from '../../notice.tsx'
import { useSession } from '../../wallet/session/use-session.ts'
import { VISITOR } from '../storage/works.ts'
import { ShelfProvider } from '../workspaces/shelf-provider.tsx'
import { Opening, Studio } from './studio.tsx'

/** How long the studio waits to hear who is signed in. After that it works without the server. */
const PATIENCE_MS = 4_000

/** The studio of whoever is signed in, or of a visitor. */
export function OwnStudio() {
  const session = useSession()
  const [waited, setWaited] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])

  if (session.status === 'switched') {
    return (
      <Notice title="Your wallet shows another account">
        <p>Say at the top of the page which of the two you want to use. The work of each is kept apart.</p>
      </Notice>
    )
  }
  const owner =
    session.status === 'signed_in'
      ? session.session.address
      : session.status === 'visitor'
        ? VISITOR
        : waited
          ? (session.guess ?? VISITOR)
          : undefined
  if (owner === undefined) return <Opening />
  const name = owner.toLowerCase()
  return (
    <ShelfProvider key={name} owner={name} opening={<Opening />}>
      {(workspace) => <Studio key={workspace} owner={name} workspace={workspace} />}
    </ShelfProvider>
  )
}
