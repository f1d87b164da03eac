import { mediaType } from '../mime.ts'

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG = [0xff, 0xd8, 0xff]
const RIFF = [0x52, 0x49, 0x46, 0x46]
const WEBP = [0x57, 0x45, 0x42, 0x50]

/** Whether a file is the PNG, JPEG or WebP image that its name says, judged by its first bytes. */
export function isImage(path: string, bytes: Uint8Array): boolean {
  switch (mediaType(path)) {
    case 'image/png':
      return holds(bytes, 0, PNG)
    case 'image/jpeg':
      return holds(bytes, 0, JPEG)
    case 'image/webp':
      return holds(bytes, 0, RIFF) && holds(bytes, 8, WEBP)
    default:
      return false
  }
}

function holds(bytes: Uint8Array, at: number, expected: readonly number[]): boolean {
  return expected.every((byte, index) => bytes[at + index] === byte)
}
