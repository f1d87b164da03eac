import type { ServerResponse } from 'node:http'

/**
 * Answers with a status that is known before the pages' framework sees the request. Set on the response itself, it is
 * lost: the framework's router sets its own whenever it has asked `proxy.ts`. Redirects and errors stay what they are.
 */
export function keepStatus(response: ServerResponse, status: number): void {
  const writeHead = response.writeHead.bind(response) as (code: number, ...rest: unknown[]) => ServerResponse
  response.writeHead = (code: number, ...rest: unknown[]) => writeHead(code === 200 ? status : code, ...rest)
}
