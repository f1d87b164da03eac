/*
 * Runs one function of the site as a platform does: alone in a folder, called by the module that Next built. It is
 * copied into that folder, so it imports nothing else. Arguments: the module, and `function` or `proxy`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'

interface CallContext {
  readonly waitUntil: (work: Promise<unknown> | undefined) => void
  readonly requestMeta: {
    readonly relativeProjectDir: string
    readonly hostname: string
    /** The platform, and not the function, stores prerendered pages. */
    readonly minimalMode: boolean
  }
}

const [entry = '', kind] = process.argv.slice(2)
const load = createRequire(import.meta.url)
load('next/setup-node-env')
const { handler } = load(entry) as {
  readonly handler: (...args: unknown[]) => Promise<unknown>
}
const context: CallContext = {
  waitUntil: (work) => void work?.catch((error: unknown) => console.error(error)),
  requestMeta: { relativeProjectDir: '.', hostname: '127.0.0.1', minimalMode: true },
}

const server = createServer((request, response) => {
  const answered = kind === 'proxy' ? askProxy(request, response) : handler(request, response, context)
  answered.catch((error: unknown) => {
    console.error(error)
    if (!response.headersSent) response.writeHead(500)
    response.end()
  })
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit(0))

async function askProxy(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headersDistinct)) {
    for (const each of value ?? []) headers.append(name, each)
  }
  const webRequest = new Request(`http://${request.headers.host}${request.url}`, {
    method: request.method ?? 'GET',
    headers,
  })
  const answered = (await handler(webRequest, context)) as Response
  response.writeHead(answered.status, [...answered.headers].flat())
  response.end(Buffer.from(await answered.arrayBuffer()))
}
