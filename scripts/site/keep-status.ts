import type { ServerResponse } from 'node:http'

/** After this time a server that could not read may be able to. */
const RETRY_SECONDS = 5

/**
 * Answers with a status that the pages' framework does not know, where it would say 200. Set on the response itself, it
 * is lost: the framework's router sets its own whenever it has asked `proxy.ts`. Redirects and errors stay what they are.
 *
 * @param status Asked when the head is about to be written.
 */
export function keepStatus(response: ServerResponse, status: () => number): void {
  const writeHead = response.writeHead.bind(response) as (code: number, ...rest: unknown[]) => ServerResponse
  response.writeHead = (code: number, ...rest: unknown[]) => {
    const kept = code === 200 ? status() : code
    if (kept === 503) response.setHeader('Retry-After', RETRY_SECONDS)
    return writeHead(kept, ...rest)
  }
}
