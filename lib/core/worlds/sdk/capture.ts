import type { Fields } from './envelope.ts'
import {
  CAPTURE_KINDS,
  type Capture,
  type CaptureKind,
  CLIP_SECONDS,
  MAX_CLIP_SECONDS,
  MESSAGE,
  type PictureSize,
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
const MAX_BYTES: Readonly<Record<CaptureKind, number>> = { picture: 64 * MIB, clip: 32 * MIB }
/** For drawing, encoding and sending; the length of a clip comes on top. */
const TIMEOUT_MS = 10_000
/** Width and height of a picture: a few kilobytes can claim more than any viewer has memory for. */
const MAX_SIDE = 8192
const MAX_REASON = 300

const TYPES: Readonly<Record<CaptureKind, string>> = { picture: 'image/png', clip: 'video/webm' }

export interface Capturer {
  /** The kinds that a World announces with `ready`; anything else in there is ignored. */
  announce(captures: unknown): readonly CaptureKind[]
  readonly capture: Capture
  /** Takes the fields of an answer. One that was not asked for, is late or is the second has no effect. */
  answer(fields: Fields): void
  dispose(): void
}

/**
 * Asks one World for pictures and clips, one at a time, and checks what it answers.
 *
 * @param post Sends a message to the World.
 */
export function createCapturer(post: (type: string, fields: Fields) => void): Capturer {
  let offered: readonly CaptureKind[] = []
  let requests = 0
  let busy = false
  let waiting:
    | { readonly requestId: string; readonly take: (fields: Fields) => void; readonly fail: Fail }
    | undefined

  const request = (kind: CaptureKind, seconds: number, size: PictureSize | undefined) =>
    new Promise<Blob>((resolve, reject: Fail) => {
      requests += 1
      const requestId = `capture-${requests}`
      const late = () => reject(new WorldCaptureError('timeout', 'The World did not answer in time.'))
      const timer = setTimeout(late, TIMEOUT_MS + (kind === 'clip' ? seconds * 1000 : 0))
      const settle =
        <T>(then: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer)
          then(value)
        }
      const fail = settle(reject)
      const take = (fields: Fields) => {
        waiting = undefined
        // The timeout stays until the bytes are here.
        checkedFile(kind, fields).then(settle(resolve), fail)
      }
      waiting = { requestId, take, fail }
      post(MESSAGE.capture, { requestId, kind, ...(kind === 'clip' ? { seconds } : size) })
    })

  return {
    announce: (captures) => {
      offered = Array.isArray(captures) ? CAPTURE_KINDS.filter((kind) => captures.includes(kind)) : []
      return offered
    },
    capture: async (kind, seconds = CLIP_SECONDS, size) => {
      if (!offered.includes(kind)) {
        throw new WorldCaptureError('unsupported', `The World does not make a ${kind}.`)
      }
      if (busy) throw new WorldCaptureError('busy', 'The World is still at the last picture or clip.')
      busy = true
      try {
        return await request(kind, Math.min(MAX_CLIP_SECONDS, Math.max(1, seconds)), size)
      } finally {
        busy = false
        waiting = undefined
      }
    },
    answer: (fields) => {
      if (waiting !== undefined && fields.requestId === waiting.requestId) waiting.take(fields)
    },
    dispose: () => waiting?.fail(new WorldCaptureError('disposed', 'The World was stopped.')),
  }
}

type Fail = (error: WorldCaptureError) => void

/** The file of an answer, read completely and given the one type that it may have. @throws {WorldCaptureError} */
async function checkedFile(kind: CaptureKind, { ok, file, message }: Fields): Promise<Blob> {
  if (ok === false) {
    const reason = typeof message === 'string' ? message.trim().slice(0, MAX_REASON) : 'without a reason'
    throw new WorldCaptureError('refused', reason)
  }
  if (ok !== true || !(file instanceof Blob)) {
    throw new WorldCaptureError('bad_answer', 'The World answered without a file.')
  }
  if (file.size > MAX_BYTES[kind]) {
    throw new WorldCaptureError(
      'bad_answer',
      `The World answered with ${Math.ceil(file.size / MIB)} MiB; a ${kind} has at most ${MAX_BYTES[kind] / MIB}.`,
    )
  }
  const bytes = await file.arrayBuffer().catch(() => {
    throw new WorldCaptureError('bad_answer', 'The file of the World cannot be read.')
  })
  if (!(kind === 'picture' ? isPng(bytes) : isWebm(bytes))) {
    throw new WorldCaptureError('bad_answer', `The World answered with something other than a ${kind}.`)
  }
  return new Blob([bytes], { type: TYPES[kind] })
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
const EBML = [0x1a, 0x45, 0xdf, 0xa3]
/** The header of a WebM file names its kind within these bytes. */
const WEBM_HEADER = 64

function isPng(bytes: ArrayBuffer): boolean {
  if (bytes.byteLength < PNG.length + 8 || !startsWith(bytes, PNG)) return false
  const view = new DataView(bytes, PNG.length)
  return [view.getUint32(0), view.getUint32(4)].every((side) => side > 0 && side <= MAX_SIDE)
}

function isWebm(bytes: ArrayBuffer): boolean {
  const header = new TextDecoder('latin1').decode(bytes.slice(0, WEBM_HEADER))
  return startsWith(bytes, EBML) && header.includes('webm')
}

function startsWith(bytes: ArrayBuffer, start: readonly number[]): boolean {
  const head = new Uint8Array(bytes.slice(0, start.length))
  return head.length === start.length && start.every((byte, index) => head[index] === byte)
}
