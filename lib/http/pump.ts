import type { ServerResponse } from 'node:http'

/**
 * Sends a stream. Asks for the next chunk when the one before is on its way, so that nothing piles up here. Settles when
 * it is over: a stream that ends in an error, or whose reader leaves, takes its connection along at once.
 */
export async function pump(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = body.getReader()
  const closed = new Promise<void>((resolve) => response.once('close', resolve))
  void closed.then(() => reader.cancel()).catch(() => {})
  // A reader that takes nothing is not asked again, so it is not by reading that its end is heard of.
  reader.closed.catch(() => response.destroy())
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (!response.write(value)) await Promise.race([drained(response), closed])
    }
    response.end()
  } catch {
    response.destroy()
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('drain', resolve))
}
