'use client'

import { useState } from 'react'
import { WorldCaptureError } from '#lib/core/worlds/sdk/capture.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { MAX_TITLE_LENGTH } from '#lib/protocol/presentation.ts'
import { studioHref } from '#lib/studio/keep/deep-link.ts'
import { readEntities } from '#lib/studio/library/live-library.ts'
import { removeStill, sendStill } from '#lib/studio/library/stills.ts'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { useAction } from '#lib/ui/components/use-action.ts'
import { useValue } from '#lib/ui/components/value.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { TextField } from '#lib/ui/kit/field.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { useStageOffer } from '#lib/ui/studio/live/stage-offer.tsx'
import { showAsPublished, shownErrorMessage, showPiece } from '#lib/ui/studio/publish/shown-requests.ts'
import { storedPicture } from '#lib/ui/world/stored-picture.ts'

export interface ChangeShownProps {
  readonly name: string
  readonly owner: Address
  /** As shown now. */
  readonly title: string | undefined
  readonly isChanged: boolean
  readonly hasStill: boolean
}

/** Changes how a piece is shown on this site, and takes that back. */
export function ChangeForm({ name, title: before, isChanged, hasStill }: ChangeShownProps) {
  const [title, setTitle] = useState(before ?? '')
  const { busy, message, act } = useAction(errorMessage)
  const reload = () => window.location.assign(entityHref('connector', name))
  const saveTitle = async () => {
    // Not as this page has it, which may be older than what was changed in the studio since.
    const [connector] = await readEntities([{ kind: 'connector', name }])
    const present = connector?.kind === 'connector' ? connector.piece?.present : undefined
    await showPiece(name, { title, present })
    reload()
  }
  const restore = async () => {
    await showAsPublished(name)
    reload()
  }
  const { offer } = useValue(useStageOffer())
  const takeStill = async () => {
    if (offer === undefined) return
    await sendStill(name, await storedPicture(await offer.capture('picture')))
    return 'This moment is its picture now.'
  }
  const drawIt = async () => {
    await removeStill(name)
    return 'Its picture is drawn from its numbers now.'
  }
  return (
    <details className="text-sm">
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium">Change how it is shown</summary>
      <form
        className="space-y-3 pb-2"
        onSubmit={(event) => {
          event.preventDefault()
          void act(saveTitle)
        }}
      >
        <label className="block">
          <span className="font-medium">Title</span>
          <TextField
            value={title}
            maxLength={MAX_TITLE_LENGTH}
            placeholder={name}
            onText={setTitle}
            className="mt-1 block"
          />
        </label>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" aria-disabled={busy}>
            Save the title
          </Button>
          {isChanged ? (
            <Button aria-disabled={busy} onClick={() => void act(restore)}>
              Show it as published
            </Button>
          ) : null}
        </div>
        {offer?.captures.includes('picture') || hasStill ? (
          <div className="flex flex-wrap gap-3">
            {offer?.captures.includes('picture') ? (
              <Button aria-disabled={busy} onClick={() => void act(takeStill)}>
                Take this moment as its picture
              </Button>
            ) : null}
            {hasStill ? (
              <Button aria-disabled={busy} onClick={() => void act(drawIt)}>
                Remove its picture
              </Button>
            ) : null}
          </div>
        ) : null}
        <p role="status" className="empty:hidden">
          {message}
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
  if (error instanceof WorldCaptureError) return `No picture was taken: ${error.message}`
  return shownErrorMessage(error)
}
