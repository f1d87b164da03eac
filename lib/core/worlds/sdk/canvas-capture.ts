import type { CaptureKind } from './protocol.ts'

/** Frames a second of a clip. */
const FRAMES = 30
/** Ten seconds stay far below the size that pages accept. */
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
export function makeCapture(source: CapturedCanvas, kind: CaptureKind, seconds: number): Promise<Blob> {
  return kind === 'picture' ? takePicture(source) : recordClip(source, seconds)
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
