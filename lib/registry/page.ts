import { Failure } from '../domain/failure.ts'

/** Keys in byte order, at most `limit` of them, and the cursor that leads on: null unless another row exists. */
export interface Page {
  readonly keys: readonly string[]
  readonly nextAfter: string | null
}

/** Cuts a page out of `limit + 1` rows. */
export function toPage(keys: readonly string[], limit: number): Page {
  const shown = keys.slice(0, limit)
  return { keys: shown, nextAfter: keys.length > limit ? (shown.at(-1) ?? null) : null }
}

/**
 * Reads a cursor over names: any text, whether or not something is called so. Below every name when absent.
 *
 * @param field Its name in the query, for the message.
 * @throws Failure('invalid_request') for a blank one, or one that no database key can hold.
 */
export function nameCursor(text: string | undefined, field: string): string {
  if (text === undefined) return ''
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.includes('\0'))
    throw new Failure('invalid_request', `Invalid ${field} cursor`)
  return trimmed
}
