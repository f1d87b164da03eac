'use client'

import { useState } from 'react'
import { Button } from '../../button.tsx'
import { counted } from '../../format.ts'
import { useStudio } from '../context.tsx'
import { useShelf } from './use-shelf.ts'

/** What was made before signing in, beside what the account had already. */
export function VisitorWork() {
  const { shelf, state } = useShelf()
  const { say } = useStudio()
  const [done, setDone] = useState(false)
  if (state.visitors === 0 || done) return null
  const count = counted(state.visitors, 'workspace', 'workspaces')
  return (
    <div className="my-3 rounded-lg border border-calm-line bg-calm p-4">
      <p>
        Before you signed in, work was made in this browser: {count}. It is kept for whoever is not signed in.
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button
          onClick={() => {
            setDone(true)
            void shelf.bringVisitors().then(() => say(`${count} added to this account.`))
          }}
        >
          Move it to this account
        </Button>
        <Button onClick={() => setDone(true)}>Not now</Button>
      </div>
    </div>
  )
}

/** What was changed in two places at once, and is there twice now. */
export function Copies() {
  const { state } = useShelf()
  const [seen, setSeen] = useState<readonly string[]>()
  const copies = state.sync?.copies ?? []
  if (copies.length === 0 || seen === copies) return null
  return (
    <div role="status" className="my-3 rounded-lg border border-calm-line bg-calm p-4">
      <p className="[overflow-wrap:anywhere]">
        The same was changed here and on another device. Both are kept; what the other device made is{' '}
        <span className="mono">{copies.join(', ')}</span>.
      </p>
      <Button className="mt-3" onClick={() => setSeen(copies)}>
        Good
      </Button>
    </div>
  )
}
