import type { ServerResponse } from 'node:http'

/** Smaller responses mostly fit the system's socket buffers, and the number of connections bounds them. */
const MIN_BYTES = 64 * 1024

interface Pending {
  readonly bytes: number
  readonly since: number
}

/**
 * Caps the bytes buffered for slow clients: beyond the cap the slowest are disconnected, and while all are recent the
 * new response is refused. One response alone is always allowed.
 *
 * @param minAgeMs No client is disconnected earlier, so that a burst on a fast line gets through.
 * @returns Counts a response of this many bytes until its connection has taken it; false when it must be refused.
 */
export function limitSlowClients(
  maxBytes: number,
  minAgeMs = 10_000,
): (response: ServerResponse, bytes: number) => boolean {
  // Oldest first.
  const pending = new Map<ServerResponse, Pending>()
  let buffered = 0
  const remove = (response: ServerResponse): void => {
    buffered -= pending.get(response)?.bytes ?? 0
    pending.delete(response)
  }
  return (response, bytes) => {
    if (bytes < MIN_BYTES) return true
    const now = performance.now()
    for (const [oldest, { since }] of pending) {
      if (buffered + bytes <= maxBytes || now - since < minAgeMs) break
      remove(oldest)
      oldest.destroy()
    }
    if (buffered > 0 && buffered + bytes > maxBytes) return false
    buffered += bytes
    pending.set(response, { bytes, since: now })
    response.once('close', () => remove(response))
    return true
  }
}
