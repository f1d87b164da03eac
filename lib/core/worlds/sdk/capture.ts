import { clipTypes, recordClip } from './clip.ts'
import type { Fields } from './envelope.ts'
import {
  CAPTURE_REQUESTS,
  type Capture,
  type CaptureKind,
  type CaptureRequest,
  CLIP_SECONDS,
  MAX_CLIP_SECONDS,
  MAX_CLIP_SIDE,
  MESSAGE,
  type WorldCaptureErrorCode,
} from './protocol.ts'

/** A capture that was not possible, or that the World answered with something else. */
export class WorldCaptureError extends Error {
  override readonly name = 'WorldCaptureError'
  readonly code: WorldCaptureErrorCode

  constructor(code: WorldCaptureErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

const MIB = 1024 * 1024
const MAX_BYTES = 64 * MIB
/** For drawing, encoding and sending a picture or a frame. */
const TIMEOUT_MS = 10_000
/** Width and height of a picture: a few kilobytes can claim more than any viewer has memory for. */
const MAX_SIDE = 8192
/** Width times height of a picture that is a frame of a clip. */
const MAX_CLIP_PIXELS = 3840 * 2160
const MAX_REASON = 300

export interface Capturer {
  /** Captures of a World by what it announces with `ready`; anything else in there is ignored. */
  announce(captures: unknown): readonly CaptureKind[]
  readonly capture: Capture
  /** Takes the fields of an answer. One that was not asked for, is late or is the second has no effect. */
  answer(fields: Fields): void
  dispose(): void
}

/**
 * Asks one World for pictures and frames, one at a time, checks what it answers, and records frames as clips.
 *
 * @param post Sends a message to the World.
 */
export function createCapturer(post: (type: string, fields: Fields) => void): Capturer {
  let announced: readonly CaptureRequest[] = []
  let requests = 0
  let busy = false
  let disposed = false
  let waiting:
    | { readonly requestId: string; readonly take: (fields: Fields) => void; readonly fail: Fail }
    | undefined

  const request = <T>(kind: CaptureRequest, read: (fields: Fields) => Promise<T>, size: Fields = {}) =>
    new Promise<T>((resolve, reject: Fail) => {
      if (disposed) return reject(stopped())
      requests += 1
      const requestId = `capture-${requests}`
      const late = () => reject(new WorldCaptureError('timeout', 'The World did not answer in time.'))
      const timer = setTimeout(late, TIMEOUT_MS)
      const settle =
        <V>(then: (value: V) => void) =>
        (value: V) => {
          clearTimeout(timer)
          then(value)
        }
      const fail = settle(reject)
      const take = (fields: Fields) => {
        waiting = undefined
        // The timeout stays until the bytes are here.
        checked(fields, read).then(settle(resolve), fail)
      }
      waiting = { requestId, take, fail }
      post(MESSAGE.capture, { requestId, kind, ...size })
    })

  /** Worlds with an SDK of before frames answer with pictures, which take longer to make. */
  const nextFrame = async (): Promise<ImageBitmap> => {
    const frame = announced.includes('frame')
      ? await request('frame', readFrame, { width: MAX_CLIP_SIDE, height: MAX_CLIP_SIDE })
      : await request('picture', readPictureOfClip)
    return createImageBitmap(frame).catch(() => {
      throw new WorldCaptureError('bad_answer', 'The picture of the World cannot be read.')
    })
  }

  const kinds = (): readonly CaptureKind[] => {
    if (announced.length === 0) return []
    const clip: readonly CaptureKind[] = clipTypes().length > 0 ? ['clip'] : []
    return announced.includes('picture') ? ['picture', ...clip] : clip
  }

  return {
    announce: (captures) => {
      announced = Array.isArray(captures) ? CAPTURE_REQUESTS.filter((kind) => captures.includes(kind)) : []
      return kinds()
    },
    capture: async (kind, seconds = CLIP_SECONDS, options = {}) => {
      if (!kinds().includes(kind)) {
        throw new WorldCaptureError('unsupported', `The World does not make a ${kind}.`)
      }
      if (busy) throw new WorldCaptureError('busy', 'The World is still at the last picture or clip.')
      busy = true
      try {
        const { width, height } = options
        if (kind === 'picture') return await request('picture', readPicture, { width, height })
        const length = Math.min(MAX_CLIP_SECONDS, Math.max(1, seconds))
        return await recordClip(nextFrame, length, options)
      } catch (error) {
        if (error instanceof WorldCaptureError) throw error
        throw new WorldCaptureError('unsupported', error instanceof Error ? error.message : String(error))
      } finally {
        busy = false
        waiting = undefined
      }
    },
    answer: (fields) => {
      if (waiting !== undefined && fields.requestId === waiting.requestId) waiting.take(fields)
    },
    dispose: () => {
      disposed = true
      waiting?.fail(stopped())
    },
  }
}

type Fail = (error: WorldCaptureError) => void

function stopped(): WorldCaptureError {
  return new WorldCaptureError('disposed', 'The World was stopped.')
}

/** Content of an answer that is not a refusal. @throws {WorldCaptureError} */
async function checked<T>(fields: Fields, read: (fields: Fields) => Promise<T>): Promise<T> {
  const { ok, message } = fields
  if (ok === false) {
    const reason = typeof message === 'string' ? message.trim().slice(0, MAX_REASON) : 'without a reason'
    throw new WorldCaptureError('refused', reason)
  }
  if (ok !== true) throw new WorldCaptureError('bad_answer', 'The World answered neither yes nor no.')
  return read(fields)
}

/** The file of an answer, read completely and given the one type that it may have. @throws {WorldCaptureError} */
async function readPicture({ file }: Fields): Promise<Blob> {
  if (!(file instanceof Blob)) {
    throw new WorldCaptureError('bad_answer', 'The World answered without a file.')
  }
  if (file.size > MAX_BYTES) {
    throw new WorldCaptureError(
      'bad_answer',
      `The World answered with ${Math.ceil(file.size / MIB)} MiB; a picture has at most ${MAX_BYTES / MIB}.`,
    )
  }
  const bytes = await file.arrayBuffer().catch(() => {
    throw new WorldCaptureError('bad_answer', 'The file of the World cannot be read.')
  })
  if (!isPng(bytes)) {
    throw new WorldCaptureError('bad_answer', 'The World answered with something other than a picture.')
  }
  return new Blob([bytes], { type: 'image/png' })
}

/** As `readPicture`, and not larger than can be decoded many times a second. @throws {WorldCaptureError} */
async function readPictureOfClip(fields: Fields): Promise<Blob> {
  const picture = await readPicture(fields)
  const [width, height] = sidesOf(await picture.slice(0, HEAD_BYTES).arrayBuffer())
  if (width * height <= MAX_CLIP_PIXELS) return picture
  throw new WorldCaptureError(
    'bad_answer',
    `The World answered with a picture of ${width} x ${height} pixels: too large for a clip.`,
  )
}

/** Pixels of an answer. @throws {WorldCaptureError} */
async function readFrame({ width, height, pixels }: Fields): Promise<ImageData> {
  const isFrame =
    isClipSide(width) &&
    isClipSide(height) &&
    pixels instanceof ArrayBuffer &&
    pixels.byteLength === width * height * 4
  if (!isFrame)
    throw new WorldCaptureError('bad_answer', 'The World answered with something other than a frame.')
  return new ImageData(new Uint8ClampedArray(pixels), width, height)
}

function isClipSide(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_CLIP_SIDE
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]

/** Bytes of a PNG up to its sides. */
const HEAD_BYTES = PNG.length + 8

function isPng(bytes: ArrayBuffer): boolean {
  if (bytes.byteLength < HEAD_BYTES || !startsWith(bytes, PNG)) return false
  return sidesOf(bytes).every((side) => side > 0 && side <= MAX_SIDE)
}

function sidesOf(png: ArrayBuffer): [number, number] {
  const view = new DataView(png, PNG.length)
  return [view.getUint32(0), view.getUint32(4)]
}

function startsWith(bytes: ArrayBuffer, start: readonly number[]): boolean {
  const head = new Uint8Array(bytes.slice(0, start.length))
  return head.length === start.length && start.every((byte, index) => head[index] === byte)
}
