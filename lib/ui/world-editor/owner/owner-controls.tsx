'use client'

import { useId, useState } from 'react'
import { worldPageHref } from '#lib/protocol/run-link.ts'
import { Part } from '#lib/ui/components/part.tsx'
import { useAction } from '#lib/ui/components/use-action.ts'
import { Button, ButtonLink } from '#lib/ui/kit/button.tsx'
import { TextField } from '#lib/ui/kit/field.tsx'
import { errorLines } from '#lib/ui/world/error-messages.ts'
import { deletePicture, deleteWorld } from '../requests.ts'
import { useManager } from './use-manager.ts'

/** Controls for the owner and administrators: the preview, replacing the bundle; for the owner, deletion. */
export function OwnerControls({
  worldId,
  slug,
  owner,
  captured,
}: {
  worldId: string
  slug: string
  owner: string
  /** Whether its preview is a picture that was captured here. */
  captured: boolean
}) {
  const manager = useManager(owner)
  if (manager === undefined) return null
  const { address, isOwner } = manager
  return (
    <Part
      key={address}
      id="manage"
      title={isOwner ? 'Your World' : 'As an administrator'}
      className="scripted"
    >
      <p className="border-line border-b py-2.5">
        <ButtonLink href={`${worldPageHref(slug)}/source?version`}>Change or replace it</ButtonLink>
      </p>
      {captured ? <RemovePicture worldId={worldId} /> : null}
      {isOwner ? (
        <details className="border-line border-b">
          <summary className="min-h-11 cursor-pointer py-2.5 font-medium text-sm">Delete it</summary>
          <div className="pb-4">
            <DeleteWorld
              worldId={worldId}
              slug={slug}
              onDeleted={() => window.location.assign(`/users/${owner}`)}
            />
          </div>
        </details>
      ) : null}
    </Part>
  )
}

function RemovePicture({ worldId }: { worldId: string }) {
  const { message, act } = useAction(problemOf)
  const remove = () => act(() => deletePicture(worldId).then(() => window.location.reload()))
  return (
    <div className="border-line border-b py-2.5">
      <p className="text-sm">Its preview is a picture that was captured here.</p>
      <Button onClick={remove} className="mt-2">
        Remove the picture
      </Button>
      <p role="status" className="text-madder text-sm">
        {message}
      </p>
    </div>
  )
}

/** Deletes a World after its slug was typed. */
function DeleteWorld({ worldId, slug, onDeleted }: { worldId: string; slug: string; onDeleted: () => void }) {
  const field = useId()
  const [typed, setTyped] = useState('')
  const { busy, message, act } = useAction(problemOf)
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed === slug) void act(() => deleteWorld(worldId).then(onDeleted))
      }}
    >
      <p className="text-sm">
        Its files are gone at once, for everybody, and its address becomes free. Nothing brings it back.
      </p>
      <label htmlFor={field} className="block text-sm">
        Type <code className="[overflow-wrap:anywhere]">{slug}</code> to delete it
      </label>
      <TextField code id={field} value={typed} onText={setTyped} />
      <Button type="submit" disabled={typed !== slug || busy}>
        {busy ? 'Deleting…' : 'Delete this World'}
      </Button>
      <p role="status" className="text-madder text-sm">
        {message}
      </p>
    </form>
  )
}

function problemOf(error: unknown): string {
  return errorLines(error).join(' ')
}
