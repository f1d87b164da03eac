import type { IncomingMessage, ServerResponse } from 'node:http'

let count = 0

/**
 * Counts a request from its head to the head of its answer, whatever it asks for. What comes with a body is left out:
 * its sender may be slow, and it is counted by those who work on it.
 */
export function countUnderWay({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return
  count += 1
  let left = false
  const leave = () => {
    if (left) return
    left = true
    count -= 1
  }
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse
  response.writeHead = (...args: unknown[]) => {
    leave()
    return writeHead(...args)
  }
  response.once('close', leave)
}

/** Requests to this process that nobody has begun to answer; 0 where nothing counts them. */
export function requestsUnderWay(): number {
  return count
}
