import type { ServerResponse } from 'node:http'

/** Smaller ones mostly lie with the system, and are bounded by the connections there may be. */
const SMALLEST = 64 * 1024

interface Waiting {
  readonly bytes: number
  readonly since: number
}

/**
 * Bounds the memory of answers that their clients have not taken yet. When more would wait than may, those that wait
 * longest are cut; while all are recent, the new one is refused.
 *
 * @param most Bytes.
 * @param patienceMs No client is cut before, so that answers that are made faster than any line carries them arrive.
 * @returns Counts an answer of so many bytes until it is on its way; false when there is no room for it.
 */
export function boundUnread(
  most: number,
  patienceMs = 10_000,
): (response: ServerResponse, bytes: number) => boolean {
  // In the order in which they were given.
  const waiting = new Map<ServerResponse, Waiting>()
  let held = 0
  const forget = (response: ServerResponse): void => {
    held -= waiting.get(response)?.bytes ?? 0
    waiting.delete(response)
  }
  return (response, bytes) => {
    if (bytes < SMALLEST) return true
    const now = performance.now()
    for (const [oldest, { since }] of waiting) {
      if (held + bytes <= most || now - since < patienceMs) break
      forget(oldest)
      oldest.destroy()
    }
    if (held > 0 && held + bytes > most) return false
    held += bytes
    waiting.set(response, { bytes, since: now })
    response.once('close', () => forget(response))
    return true
  }
}
