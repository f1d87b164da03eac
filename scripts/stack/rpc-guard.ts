import { Agent, createServer, type IncomingMessage, request as openRequest } from 'node:http'
import { connect, isIP } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'

export interface RpcGuardOptions {
  readonly port: number
  /** Address to listen on; 127.0.0.1 by default. */
  readonly host?: string
  /** HTTP URL of the node. */
  readonly target: string
  /** Origins of web pages that may use the node. */
  readonly origins: readonly string[]
}

export interface RpcGuard {
  readonly url: string
  close(): Promise<void>
}

/** Origins of browser extensions, wallets among them; web pages cannot have one. */
const EXTENSION = /^(?:chrome|moz|safari-web)-extension:\/\/[\w-]+$/

const REFUSAL = 'This development chain answers programs on this machine and pages of its own site only.\n'
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'content-type',
  'Access-Control-Max-Age': '600',
}

/**
 * Starts a reverse proxy in front of a development chain that refuses web pages of foreign origins with 403. The node's
 * own CORS settings are no substitute: they apply neither to WebSockets, which every page may open and read, nor to a
 * page whose host name has been rebound to this machine.
 */
export async function startRpcGuard(options: RpcGuardOptions): Promise<RpcGuard> {
  const { port, host = '127.0.0.1', target, origins } = options
  const agent = new Agent({ keepAlive: true })
  const node = new URL(target)
  const sockets = new Set<Duplex>()

  const server = createServer((request, response) => {
    if (!isAllowed(request, origins)) {
      response.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8' }).end(REFUSAL)
      return
    }
    const { origin, 'content-type': type, 'content-length': length } = request.headers
    response.setHeader('Vary', 'Origin')
    if (origin !== undefined) response.setHeader('Access-Control-Allow-Origin', origin)
    if (request.method === 'OPTIONS') {
      response.writeHead(204, PREFLIGHT).end()
      return
    }
    const headers = { ...(type && { 'content-type': type }), ...(length && { 'content-length': length }) }
    const forwarded = openRequest(node, { method: request.method, headers, agent }, (answer) => {
      const { 'content-type': answerType, 'content-length': answerLength } = answer.headers
      response.writeHead(answer.statusCode ?? 502, {
        ...(answerType && { 'Content-Type': answerType }),
        ...(answerLength && { 'Content-Length': answerLength }),
      })
      pipeline(answer, response, () => undefined)
    })
    forwarded.on('error', () => {
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end()
    })
    response.once('close', () => {
      if (!response.writableFinished) forwarded.destroy()
    })
    pipeline(request, forwarded, () => undefined)
  })

  server.on('upgrade', (request, socket: Duplex, head) => {
    if (!isAllowed(request, origins)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      return
    }
    const forwarded = connect(Number(node.port), node.hostname)
    forwarded.write(headOf(request))
    forwarded.write(head)
    for (const each of [socket, forwarded]) {
      sockets.add(each)
      each.once('close', () => sockets.delete(each))
    }
    pipeline(socket, forwarded, socket, () => undefined)
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    url: `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        for (const socket of sockets) socket.destroy()
        agent.destroy()
      }),
  }
}

/** Whether a request is a program's, an extension's, or that of a page of an allowed origin, and names this machine. */
function isAllowed({ headersDistinct }: IncomingMessage, origins: readonly string[]): boolean {
  const { host: hosts = [], origin: claimed = [] } = headersDistinct
  if (hosts.length > 1 || claimed.length > 1) return false
  const [origin] = claimed
  return (
    isNumericOrLocal(hosts[0]) && (origin === undefined || origins.includes(origin) || EXTENSION.test(origin))
  )
}

/** Only a name can be rebound, so that a page of it passes for one of the same origin. */
function isNumericOrLocal(host = ''): boolean {
  const hostname = URL.parse(`http://${host}`)?.hostname ?? ''
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}

/** The request's head as it was received. */
function headOf({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`]
  for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}
