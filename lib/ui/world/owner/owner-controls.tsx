'use client'

import { useSession } from '../../wallet/session/use-session.ts'
import { DeleteWorld } from './delete-world.tsx'
import { ReplaceBundle } from './replace-bundle.tsx'

/** For whoever may change a World: a new bundle; for its owner, its end. Others see nothing. */
export function OwnerControls({ worldId, slug, owner }: { worldId: string; slug: string; owner: string }) {
  const state = useSession()
  if (state.status !== 'signed_in') return null
  const { address, roles } = state.session
  const isOwner = address === owner.toLowerCase()
  if (!isOwner && !roles.includes('admin')) return null
  return (
    <section key={address} aria-labelledby="manage" className="scripted border-ink border-t-2 pt-3">
      <h2 id="manage" className="pb-1 font-semibold text-base">
        {isOwner ? 'Your World' : 'As an administrator'}
      </h2>
      <details className="border-line border-b">
        <summary className="min-h-11 cursor-pointer py-2.5 font-medium text-sm">Replace it</summary>
        <div className="pb-4">
          <ReplaceBundle worldId={worldId} onReplaced={() => window.location.reload()} />
        </div>
      </details>
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
    </section>
  )
}
