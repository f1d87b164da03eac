import type { Id } from './types.ts'

/** Makes ids; tests and replays bring their own. */
export type NewId = () => Id

/** 80 random bits as text. */
export const newId: NewId = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(10))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
