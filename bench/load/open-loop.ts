import { Agent, request as nodeRequest } from 'node:http'
import { percentile } from '../support/measure.ts'

export interface Ask {
  /** What the figures are grouped by. */
  readonly kind: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What clients saw at one rate. Milliseconds count from the moment a request was due, waiting included. */
export interface Seen {
  readonly asked: number
  readonly answered: number
  /** Refused with 503 or 429, as a server that is full should. */
  readonly refused: number
  /** Any other failure. */
  readonly errors: number
  readonly perSecond: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly kinds: ReadonlyMap<string, { readonly count: number; readonly p50: number; readonly p99: number }>
  /** The first unexpected answer, for the log. */
  readonly firstError: string | undefined
}

const CONNECTIONS = 128
const UNDER_WAY = 4_000
const PATIENCE_MS = 10_000

/**
 * Asks at a steady rate whether or not answers come, as independent people do: a server that falls behind is seen
 * falling behind.
 */
export async function askAtRate(
  origin: string,
  next: () => Ask,
  {
    perSecond,
    milliseconds,
    connections = CONNECTIONS,
  }: { readonly perSecond: number; readonly milliseconds: number; readonly connections?: number },
): Promise<Seen> {
  const { hostname, port } = new URL(origin)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times = new Map<string, number[]>()
  let asked = 0
  let refused = 0
  let errors = 0
  let firstError: string | undefined
  let underWay = 0
  const failed = (what: string) => {
    errors += 1
    firstError ??= what
  }
  const send = ({ kind, method, path, body, headers }: Ask, due: number): Promise<void> =>
    new Promise((resolve) => {
      const length = body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }
      const sent = nodeRequest(
        { agent, hostname, port, method, path, timeout: PATIENCE_MS, headers: { ...headers, ...length } },
        (response) => {
          const status = response.statusCode ?? 0
          response.resume()
          response.once('error', (error) => {
            failed(`${path}: ${error.message}`)
            resolve()
          })
          response.once('end', () => {
            if (status === 503 || status === 429) refused += 1
            else if (status >= 300) failed(`${method} ${path}: ${status}`)
            else {
              const list = times.get(kind) ?? []
              times.set(kind, list)
              list.push(performance.now() - due)
            }
            resolve()
          })
        },
      )
      sent.once('timeout', () => sent.destroy(new Error('no answer')))
      sent.once('error', (error) => {
        if (sent.reusedSocket && 'code' in error && error.code === 'ECONNRESET') {
          resolve(
            send(
              { kind, method, path, ...(body !== undefined && { body }), ...(headers && { headers }) },
              due,
            ),
          )
          return
        }
        failed(`${method} ${path}: ${error.message}`)
        resolve()
      })
      sent.end(body)
    })

  const began = performance.now()
  const pending = new Set<Promise<void>>()
  await new Promise<void>((resolve) => {
    const turn = () => {
      const now = performance.now()
      while (asked * 1000 <= (now - began) * perSecond && now - began < milliseconds) {
        const due = began + (asked * 1000) / perSecond
        asked += 1
        if (underWay >= UNDER_WAY) {
          failed('too many requests under way')
          continue
        }
        underWay += 1
        const one = send(next(), due).finally(() => {
          underWay -= 1
          pending.delete(one)
        })
        pending.add(one)
      }
      if (now - began >= milliseconds) resolve()
      else setTimeout(turn, 1)
    }
    turn()
  })
  await Promise.all(pending)
  const seconds = (performance.now() - began) / 1000
  agent.destroy()
  const all = [...times.values()].flat()
  return {
    asked,
    answered: all.length,
    refused,
    errors,
    firstError,
    perSecond: all.length / seconds,
    p50: percentile(all, 0.5),
    p95: percentile(all, 0.95),
    p99: percentile(all, 0.99),
    kinds: new Map(
      [...times].map(([kind, list]) => [
        kind,
        { count: list.length, p50: percentile(list, 0.5), p99: percentile(list, 0.99) },
      ]),
    ),
  }
}
