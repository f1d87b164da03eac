'use client'

import { ImageUp } from 'lucide-react'
import { Refusal } from '#lib/browser/requests.ts'
import { WorldCaptureError } from '#lib/core/worlds/sdk/capture.ts'
import { useAction } from '#lib/ui/components/use-action.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { errorLines } from '#lib/ui/world/error-messages.ts'
import { storedPicture } from '#lib/ui/world/stored-picture.ts'
import type { CaptureOffer } from '#lib/ui/world/use-capture.ts'
import { putPicture } from '../requests.ts'
import { useManager } from './use-manager.ts'

/** For its owner and administrators: stores what a World shows now as its preview. */
export function UseAsPreview({
  worldId,
  owner,
  offer,
}: {
  worldId: string
  owner: string
  /** Captures of its frame; undefined while it offers none. */
  offer: CaptureOffer | undefined
}) {
  const manager = useManager(owner)
  const { busy, message, setMessage, act } = useAction(
    (error) => `The preview is the one before: ${reasonOf(error)}`,
  )
  if (manager === undefined || !offer?.captures.includes('picture')) return null
  const store = () =>
    act(async () => {
      setMessage('Taking a picture…')
      await putPicture(worldId, await storedPicture(await offer.capture('picture')))
      return 'This is its preview now, in the gallery and where its link is shared.'
    })
  return (
    <>
      <p role="status" className="text-ink-soft text-sm [overflow-wrap:anywhere]">
        {message}
      </p>
      <Button look="text" size="small" aria-disabled={busy} onClick={store}>
        <ImageUp className="size-4" aria-hidden="true" />
        Use as preview
      </Button>
    </>
  )
}

function reasonOf(error: unknown): string {
  if (error instanceof WorldCaptureError) return error.message
  if (error instanceof DOMException) return 'the picture cannot be read.'
  return error instanceof Refusal ? errorLines(error).join(' ') : 'the site does not answer.'
}
