import type { CaptureKind, PictureSize } from './protocol.ts'

/** Frames a second of a clip. */
const FRAMES = 30
/** Half a minute stays below the size that pages accept. */
const BITS_PER_SECOND = 8_000_000

/** A canvas that a World captures, and what draws it once more. */
export interface CapturedCanvas {
  readonly canvas: HTMLCanvasElement
  readonly draw: (() => void) | undefined
}

/** Captures that this browser can make of a canvas: some cannot record WebM. */
export function captureKinds(canvas: HTMLCanvasElement): readonly CaptureKind[] {
  const records =
    typeof canvas.captureStream === 'function' &&
    typeof MediaRecorder === 'function' &&
    MediaRecorder.isTypeSupported('video/webm')
  return records ? ['picture', 'clip'] : ['picture']
}

/** @throws {Error} When the canvas shows images of another origin, or is empty. */
export function makeCapture(
  source: CapturedCanvas,
  kind: CaptureKind,
  { seconds, size }: { readonly seconds: number; readonly size?: PictureSize },
): Promise<Blob> {
  if (kind === 'clip') return recordClip(source, seconds)
  return size === undefined ? takePicture(source) : inSize(source, size, () => takePicture(source))
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

function recordClip({ canvas, draw }: CapturedCanvas, seconds: number): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const stream = canvas.captureStream(FRAMES)
    const recorder = new MediaRecorder(stream, {
      mimeType: 'video/webm',
      videoBitsPerSecond: BITS_PER_SECOND,
    })
    const parts: Blob[] = []
    let frame = 0
    const turn = () => {
      draw?.()
      frame = requestAnimationFrame(turn)
    }
    const end = () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      for (const track of stream.getTracks()) track.stop()
    }
    recorder.ondataavailable = ({ data }) => parts.push(data)
    recorder.onerror = () => {
      end()
      reject(new Error('The browser could not record the canvas.'))
    }
    recorder.onstop = () => {
      end()
      resolve(new Blob(parts, { type: 'video/webm' }))
    }
    const timer = setTimeout(() => recorder.stop(), seconds * 1000)
    recorder.start()
    if (draw) turn()
  })
}
