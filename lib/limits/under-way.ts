import type { ServerResponse } from 'node:http'

let count = 0

/**
 * Counts a request until the head of its answer, whatever it asks for. Not for one with a body: its sender may be slow,
 * and it is counted by those who work on it.
 */
export function countUnderWay(response: ServerResponse): void {
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
