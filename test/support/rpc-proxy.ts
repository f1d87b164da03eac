import { createServer } from 'node:http'
import { listen } from './listen.ts'

export interface RpcCall {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** An answer in place of the node's: a JSON-RPC error, or an HTTP status for the whole request. */
export type Refusal = { readonly code: number; readonly message: string } | { readonly status: number }

/** A refusal, an answer of one's own, or other parameters for the node to answer. */
export type Intervention = Refusal | { readonly result: unknown } | { readonly params: readonly unknown[] }

export interface RpcProxy {
  readonly url: string
  /** Called with every call; undefined passes it on. May be replaced at any time. */
  intervene: (call: RpcCall) => Intervention | undefined
  close(): Promise<void>
}

/** A proxy in front of a node that answers or changes some of the calls. */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const sent = JSON.parse(Buffer.concat(chunks).toString()) as RpcCall | RpcCall[]
    const calls = Array.isArray(sent) ? sent : [sent]
    const answers: unknown[] = []
    const passed: RpcCall[] = []
    for (const sentCall of calls) {
      const call = { ...sentCall, params: sentCall.params ?? [] }
      const other = proxy.intervene(call)
      if (other === undefined) passed.push(call)
      else if ('params' in other) passed.push({ ...call, params: other.params })
      else if ('status' in other) return void response.writeHead(other.status).end('no')
      else if ('result' in other) answers.push({ jsonrpc: '2.0', id: call.id, result: other.result })
      else answers.push({ jsonrpc: '2.0', id: call.id, error: other })
    }
    if (passed.length > 0) {
      const forwarded = await fetch(target, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(passed),
      })
      answers.push(...((await forwarded.json()) as unknown[]))
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(Array.isArray(sent) ? answers : answers[0]))
  })
  const port = await listen(server)
  const proxy: RpcProxy = {
    url: `http://127.0.0.1:${port}`,
    intervene: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return proxy
}
