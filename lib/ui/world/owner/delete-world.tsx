'use client'

import { useId, useState } from 'react'
import { Button } from '../../button.tsx'
import { linesOf } from './in-words.ts'
import { deleteWorld } from './requests.ts'

/** Deletes a World after its slug was typed. */
export function DeleteWorld({
  worldId,
  slug,
  onDeleted,
}: {
  worldId: string
  slug: string
  onDeleted: () => void
}) {
  const field = useId()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<readonly string[]>([])
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed !== slug || busy) return
        setBusy(true)
        setProblems([])
        deleteWorld(worldId).then(onDeleted, (error: unknown) => {
          setProblems(linesOf(error))
          setBusy(false)
        })
      }}
    >
      <p className="text-sm">
        Its files are gone at once, for everybody, and its address becomes free. Nothing brings it back.
      </p>
      <label htmlFor={field} className="block text-sm">
        Type <code className="[overflow-wrap:anywhere]">{slug}</code> to delete it
      </label>
      <input
        id={field}
        value={typed}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.currentTarget.value)}
        className="mono min-h-11 w-full rounded-md border border-edge bg-raised px-3 text-sm"
      />
      <Button type="submit" disabled={typed !== slug || busy}>
        {busy ? 'Deleting…' : 'Delete this World'}
      </Button>
      <p role="status" className="text-madder text-sm">
        {problems.join(' ')}
      </p>
    </form>
  )
}
