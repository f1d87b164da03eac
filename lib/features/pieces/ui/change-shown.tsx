'use client'

import { useState } from 'react'
import { ask, Refusal } from '#lib/browser/requests.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { MAX_TITLE_LENGTH, type Presentation } from '#lib/protocol/presentation.ts'
import { studioHref } from '#lib/studio/keep/deep-link.ts'
import { Button } from '#lib/ui/components/button.tsx'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { textLink } from '#lib/ui/components/link-style.ts'
import { useAction } from '#lib/ui/components/use-action.ts'
import { useSession } from '#lib/ui/wallet/session/use-session.ts'
import type { ShownRequest } from '../shown-operations.ts'

interface ChangeShownProps {
  readonly name: string
  readonly owner: Address
  /** As shown now. */
  readonly title: string | undefined
  readonly present: Presentation | undefined
  readonly isChanged: boolean
}

/** For the owner of a piece alone: changes how it is shown on this site, and takes that back. */
export function ChangeShown(props: ChangeShownProps) {
  const state = useSession()
  const isOwner = state.status === 'signed_in' && state.session.address === props.owner
  return isOwner ? <ChangeForm {...props} /> : null
}

function ChangeForm({ name, title: before, present, isChanged }: ChangeShownProps) {
  const [title, setTitle] = useState(before ?? '')
  const { busy, said, act } = useAction(errorMessage)
  const path = `/studio/api/pieces/${encodeURIComponent(name)}/presentation`
  const send = async (method: 'PUT' | 'DELETE', request?: ShownRequest) => {
    await ask(method, path, request)
    window.location.assign(entityHref('connector', name))
  }
  const trimmed = title.trim()
  return (
    <details className="text-sm">
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium">Change how it is shown</summary>
      <form
        className="space-y-3 pb-2"
        onSubmit={(event) => {
          event.preventDefault()
          void act(() =>
            send('PUT', {
              ...(trimmed !== '' && { title: trimmed }),
              ...(present && { present: { ...present } }),
            }),
          )
        }}
      >
        <label className="block">
          <span className="font-medium">Title</span>
          <input
            value={title}
            maxLength={MAX_TITLE_LENGTH}
            placeholder={name}
            onChange={(event) => setTitle(event.currentTarget.value)}
            className="mt-1 block min-h-11 w-full rounded-md border border-edge bg-raised px-3"
          />
        </label>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" aria-disabled={busy}>
            Save the title
          </Button>
          {isChanged ? (
            <Button aria-disabled={busy} onClick={() => void act(() => send('DELETE'))}>
              Show it as published
            </Button>
          ) : null}
        </div>
        <p role="status" className="empty:hidden">
          {said}
        </p>
        <p>
          <a className={textLink} href={studioHref('change', 'connector', name)}>
            Change World, sound, length and knobs in the studio
          </a>
        </p>
        <p className="text-ink-soft">
          This site shows it like that from then on. What is published stays as it is, one press away, and so
          does its file.
        </p>
      </form>
    </details>
  )
}

function errorMessage(error: unknown): string {
  if (!(error instanceof Refusal)) return 'The site does not answer, so nothing has changed. Try again.'
  if (error.status === 401) return 'Your session has ended. Sign in again.'
  return error.message === '' ? 'That did not work. Try again in a moment.' : `${error.message}.`
}
