import type { Fields } from './envelope.ts'
import type { CaptureRequest, PictureSize } from './protocol.ts'

/** A canvas that a World captures, and what draws it once more. */
export interface CapturedCanvas {
  readonly canvas: HTMLCanvasElement
  readonly draw: (() => void) | undefined
}

/**
 * Fields that answer a request: the `file` of a picture, or the `pixels` of a frame with their `width` and `height`.
 *
 * @param size Of a picture; a frame is not larger.
 * @throws {Error} When the canvas shows images of another origin, or is empty.
 */
export async function makeCapture(
  source: CapturedCanvas,
  kind: CaptureRequest,
  size: PictureSize | undefined,
): Promise<Fields> {
  if (kind === 'frame') return takeFrame(source, size)
  return { file: await (size ? inSize(source, size, () => takePicture(source)) : takePicture(source)) }
}

/** Draws a canvas in another size for a picture, in one task, so that no frame of that size is shown. */
function inSize(
  { canvas, draw }: CapturedCanvas,
  size: PictureSize,
  take: () => Promise<Blob>,
): Promise<Blob> {
  const before = canvas.getAttribute('style')
  const resize = (width: number, height: number) => {
    for (const [name, value] of Object.entries({ ...FREED, width: `${width}px`, height: `${height}px` })) {
      canvas.style.setProperty(name, value, 'important')
    }
    draw?.()
  }
  resize(size.width, size.height)
  // A World draws more than one pixel for each of the page where the screen has more.
  const scale = canvas.width / canvas.clientWidth || 1
  if (scale !== 1) resize(size.width / scale, size.height / scale)
  // A canvas is copied before `toBlob` returns.
  const taken = take()
  if (before === null) canvas.removeAttribute('style')
  else canvas.setAttribute('style', before)
  draw?.()
  return taken
}

/** Styles of a canvas that is as large as its width and height say. */
const FREED = {
  position: 'fixed',
  flex: 'none',
  'box-sizing': 'content-box',
  ...{
    'max-width': 'none',
    'max-height': 'none',
    'min-width': '0',
    'min-height': '0',
    'aspect-ratio': 'auto',
  },
  ...{ border: '0', padding: '0' },
}

function takePicture({ canvas, draw }: CapturedCanvas): Promise<Blob> {
  return new Promise((resolve, reject) => {
    // WebGL empties its canvas after each frame, so that the drawing must be of this very turn.
    draw?.()
    canvas.toBlob((blob) => {
      if (blob) resolve(blob)
      else reject(new Error('The canvas is empty or too large for a picture.'))
    }, 'image/png')
  })
}

/** Reads pixels of canvases of any kind, frame after frame. */
let reader: CanvasRenderingContext2D | undefined

function takeFrame({ canvas, draw }: CapturedCanvas, size: PictureSize = canvas): Fields {
  draw?.()
  const scale = Math.min(1, size.width / canvas.width, size.height / canvas.height)
  const [width, height] = [canvas.width, canvas.height].map((side) =>
    Math.max(1, Math.round(side * scale)),
  ) as [number, number]
  reader ??= document.createElement('canvas').getContext('2d', { alpha: false, willReadFrequently: true })!
  if (reader.canvas.width !== width || reader.canvas.height !== height) {
    Object.assign(reader.canvas, { width, height })
  }
  reader.fillRect(0, 0, width, height)
  reader.drawImage(canvas, 0, 0, width, height)
  return { width, height, pixels: reader.getImageData(0, 0, width, height).data.buffer }
}
