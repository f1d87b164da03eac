import { type CaptureOptions, type ClipType, MAX_CLIP_SIDE } from './protocol.ts'

const FRAME_MS = 1000 / 30
const VIDEO_BITS_PER_SECOND = 8_000_000
const AUDIO_BITS_PER_SECOND = 192_000

/** Recordings in the order of how many devices play them. Without codecs, the browser chooses those. */
const MIME_TYPES: readonly (readonly [ClipType, string])[] = [
  ['mp4', 'video/mp4;codecs=avc1.640033,mp4a.40.2'],
  ['webm', 'video/webm'],
  ['mp4', 'video/mp4'],
]

/** Sound of a page for a clip. */
export interface SoundRecording {
  readonly track: MediaStreamTrack
  play(): void
  /** Stops the sound, and closes the track. */
  end(): void
}

/** Containers that this browser records, the default first; empty where it records none. */
export function clipTypes(): readonly ClipType[] {
  return [...new Set(recordings().map(([type]) => type))]
}

function recordings(): typeof MIME_TYPES {
  const records = typeof MediaRecorder === 'function' && 'captureStream' in HTMLCanvasElement.prototype
  return records ? MIME_TYPES.filter(([, mimeType]) => MediaRecorder.isTypeSupported(mimeType)) : []
}

/**
 * Records frames and a sound into one file. Frames of another size than the first are fitted into it.
 *
 * @param nextFrame Called at most 30 times a second, each time after the frame before has arrived.
 * @throws {Error} When this browser does not record the type, or fails to; and with what `nextFrame` throws meanwhile.
 */
export async function recordClip(
  nextFrame: () => Promise<ImageBitmap>,
  seconds: number,
  { type, sound, onStart }: CaptureOptions,
): Promise<Blob> {
  const [container, mimeType] = recordings().find(([each]) => type === undefined || each === type) ?? []
  if (mimeType === undefined) throw new Error('This browser does not record clips of that type.')
  const canvas = document.createElement('canvas')
  // Every frame is read by the recorder: on a graphics processor each would go there and back.
  const pen = canvas.getContext('2d', { alpha: false, willReadFrequently: true })!
  const draw = (frame: ImageBitmap) => {
    const scale = Math.min(canvas.width / frame.width, canvas.height / frame.height)
    const [width, height] = [frame.width * scale, frame.height * scale]
    pen.fillRect(0, 0, canvas.width, canvas.height)
    pen.drawImage(frame, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height)
    frame.close()
  }
  const first = await nextFrame()
  const scale = Math.min(1, MAX_CLIP_SIDE / Math.max(first.width, first.height))
  Object.assign(canvas, { width: evenSide(first.width * scale), height: evenSide(first.height * scale) })
  const stream = canvas.captureStream(1000 / FRAME_MS)
  const parts: Blob[] = []
  let recorder: MediaRecorder | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    if (recorder?.state === 'recording') recorder.stop()
  }
  try {
    if (sound) stream.addTrack(sound)
    recorder = new MediaRecorder(stream, {
      mimeType,
      videoBitsPerSecond: VIDEO_BITS_PER_SECOND,
      audioBitsPerSecond: AUDIO_BITS_PER_SECOND,
    })
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const ended = endOf(recorder)
    recorder.start()
    draw(first)
    onStart?.()
    timer = setTimeout(stop, seconds * 1000)
    // A frame that comes after the end, or never, holds nothing up.
    await Promise.race([ended, paint(recorder, draw, nextFrame)])
    await ended
  } finally {
    clearTimeout(timer)
    stop()
    first.close()
    for (const track of stream.getVideoTracks()) track.stop()
  }
  return new Blob(parts, { type: `video/${container}` })
}

/** Draws one frame after the other while it records. @throws What `nextFrame` throws meanwhile. */
async function paint(
  recorder: MediaRecorder,
  draw: (frame: ImageBitmap) => void,
  nextFrame: () => Promise<ImageBitmap>,
): Promise<void> {
  while (recorder.state === 'recording') {
    const due = performance.now() + FRAME_MS
    try {
      draw(await nextFrame())
    } catch (error) {
      if (recorder.state === 'recording') throw error
    }
    await new Promise((resolve) => setTimeout(resolve, due - performance.now()))
  }
}

/** @throws {Error} When the browser fails to record. */
function endOf(recorder: MediaRecorder): Promise<void> {
  return new Promise((resolve, reject) => {
    recorder.onstop = () => resolve()
    recorder.onerror = () => reject(new Error('The browser could not record the clip.'))
  })
}

/** Codecs take even sides. */
function evenSide(side: number): number {
  return Math.max(2, 2 * Math.floor(side / 2))
}
