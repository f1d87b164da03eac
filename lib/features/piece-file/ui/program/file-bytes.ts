import type { WorldFileData } from '../../data.ts'

export function bytesOf({ text, base64 = '' }: WorldFileData): Uint8Array<ArrayBuffer> {
  if (text !== undefined) return new TextEncoder().encode(text)
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
