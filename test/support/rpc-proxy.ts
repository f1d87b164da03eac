import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen, stop } from './listen.ts'

export interface RpcCall {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** An answer in place of the node's: a JSON-RPC error, or an HTTP status for the whole request. */
export type Refusal = { readonly code: number; readonly message: string } | { readonly status: number }

/** A refusal, an answer of one's own, or other parameters for the node to answer. */
export type Intervention = Refusal | { readonly result: unknown } | { readonly params: readonly unknown[] }

/** An answer to a whole HTTP request. */
export interface HttpAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface RpcProxy {
  readonly url: string
  /** Called with the calls of every request; undefined lets `intervene` see each of them. */
  refuse: (calls: readonly RpcCall[]) => HttpAnswer | undefined
  /** Called with every call; undefined passes it on. May be replaced at any time. */
  intervene: (call: RpcCall) => Intervention | undefined
  /** Delay of each request in milliseconds; none at first. */
  delayMs: number
  /** Called with every result of the node; what it returns is sent instead. */
  amend: (call: RpcCall, result: unknown) => unknown
  close(): Promise<void>
}

/** A proxy in front of a node that answers or changes some of the calls. */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  const server = createServer(async (request, response) => {
    // A WebSocket, which it does not offer.
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const sent = (await json(request)) as RpcCall | RpcCall[]
    const calls = (Array.isArray(sent) ? sent : [sent]).map((call) => ({
      ...call,
      params: call.params ?? [],
    }))
    const refused = proxy.refuse(calls)
    if (proxy.delayMs > 0) await sleep(proxy.delayMs)
    if (refused !== undefined) {
      const { status, headers = {}, body = 'no' } = refused
      return void response.writeHead(status, headers).end(body)
    }
    const answers: unknown[] = []
    const passed: RpcCall[] = []
    for (const call of calls) {
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
      const results = (await forwarded.json()) as { id: number; result?: unknown }[]
      for (const each of results) {
        const call = passed.find(({ id }) => id === each.id)
        if (call !== undefined && 'result' in each) each.result = proxy.amend(call, each.result)
      }
      answers.push(...results)
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(Array.isArray(sent) ? answers : answers[0]))
  })
  const port = await listen(server)
  const proxy: RpcProxy = {
    url: `http://127.0.0.1:${port}`,
    refuse: () => undefined,
    intervene: () => undefined,
    delayMs: 0,
    amend: (_, result) => result,
    close: () => stop(server),
  }
  return proxy
}
