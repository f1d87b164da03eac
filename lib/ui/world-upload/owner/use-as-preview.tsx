'use client'

import { ImageUp } from 'lucide-react'
import { Refusal } from '#lib/browser/requests.ts'
import { WorldCaptureError } from '#lib/core/worlds/sdk/capture.ts'
import { WORLD_PICTURE } from '#lib/protocol/world-manifest.ts'
import { Button } from '#lib/ui/components/button.tsx'
import { useAction } from '#lib/ui/components/use-action.ts'
import { errorLines } from '#lib/ui/world/error-messages.ts'
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
  /** Of its frame; undefined while it offers nothing. */
  offer: CaptureOffer | undefined
}) {
  const manager = useManager(owner)
  const { busy, said, say, act } = useAction((error) => `The preview is the one before: ${reasonOf(error)}`)
  if (manager === undefined || !offer?.captures.includes('picture')) return null
  const store = () =>
    act(async () => {
      say('Taking a picture…')
      await putPicture(worldId, await previewPicture(await offer.capture('picture')))
      return 'This is its preview now, in the gallery and where its link is shared.'
    })
  return (
    <>
      <p role="status" className="text-ink-soft text-sm [overflow-wrap:anywhere]">
        {said}
      </p>
      <Button look="quiet" size="small" aria-disabled={busy} onClick={store}>
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

/** Of the largest side, from attempt to attempt: noise does not compress. */
const SHRINK = 0.7

/**
 * A captured picture as a preview is stored: no larger than may be sent, and opaque.
 *
 * @throws {DOMException} When the browser cannot read it.
 */
async function previewPicture(captured: Blob): Promise<Blob> {
  const image = await createImageBitmap(captured)
  try {
    let scale = Math.min(1, WORLD_PICTURE.side / Math.max(image.width, image.height))
    for (;;) {
      const picture = await drawn(image, scale)
      if (picture.size <= WORLD_PICTURE.bytes) return picture
      scale *= SHRINK
    }
  } finally {
    image.close()
  }
}

function drawn(image: ImageBitmap, scale: number): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  const context = canvas.getContext('2d', { alpha: false })
  if (context) {
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new DOMException('No memory for it', 'EncodingError'))),
      'image/png',
    )
  })
}
