import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './listen.ts'

/** A request to a verifier. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** A stand-in for verifiers of sources, which answers as a test says. */
export interface StandInVerifier {
  readonly url: string
  readonly asked: Asked[]
  answer: (asked: Asked) => { readonly status?: number; readonly body: unknown }
  close(): Promise<void>
}

export async function startVerifier(): Promise<StandInVerifier> {
  const server = createServer(async (request, response) => {
    const call = { method: request.method ?? '', path: request.url ?? '', body: await text(request) }
    verifier.asked.push(call)
    const { status = 200, body } = verifier.answer(call)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const verifier: StandInVerifier = {
    url: `http://127.0.0.1:${await listen(server)}`,
    asked: [],
    answer: () => ({ status: 404, body: {} }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return verifier
}
