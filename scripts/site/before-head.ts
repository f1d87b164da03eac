import type { ServerResponse } from 'node:http'

/**
 * Calls `prepare` when the head of a response is about to be written: it may add headers, and returns the status. What is
 * set on a response earlier is lost or stays in the way, as Next's router sets a status of its own and, of what a route
 * answers, leaves out headers that the response has.
 */
export function beforeHead(response: ServerResponse, prepare: (status: number) => number): void {
  const writeHead = response.writeHead.bind(response) as (code: number, ...rest: unknown[]) => ServerResponse
  response.writeHead = (code: number, ...rest: unknown[]) => writeHead(prepare(code), ...rest)
}

/** Sets the headers that the response lacks. */
export function setMissing(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const name in headers) if (!response.hasHeader(name)) response.setHeader(name, headers[name] as string)
}
