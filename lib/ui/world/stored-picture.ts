import { WORLD_PICTURE } from '#lib/protocol/world-manifest.ts'

/** Shares of the largest side, from attempt to attempt: noise does not compress. */
const SHRINK = 0.7

/**
 * A captured picture as this site takes one: no larger than may be sent, and opaque.
 *
 * @throws {DOMException} When the browser cannot read it.
 */
export async function storedPicture(captured: Blob): Promise<Blob> {
  const image = await createImageBitmap(captured)
  try {
    let scale = Math.min(1, WORLD_PICTURE.side / Math.max(image.width, image.height))
    for (;;) {
      const picture = await drawScaled(image, scale)
      if (picture.size <= WORLD_PICTURE.bytes) return picture
      scale *= SHRINK
    }
  } finally {
    image.close()
  }
}

function drawScaled(image: ImageBitmap, scale: number): Promise<Blob> {
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
