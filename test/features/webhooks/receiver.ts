import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type postgres from 'postgres'
import { createSecret } from '#lib/features/webhooks/signature.ts'
import { listen, stop } from '#test/support/listen.ts'

/** One request that a receiver got. */
export interface Received {
  readonly path: string
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Receiver {
  readonly port: number
  /** All requests, in the order of their arrival. */
  readonly received: Received[]
  /** The numbers that arrived at a path, repetitions included. */
  numbers(path: string): number[]
  /** Decides what a request is answered; 204 by default. */
  answer: (request: Received, response: ServerResponse) => void
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { headers, url: path = '' } = request
    const one = { path, id: String(headers['webhook-id']), headers, body: await text(request) }
    received.push(one)
    receiver.answer(one, response)
  })
  const receiver: Receiver = {
    port: await listen(server),
    received,
    numbers: (path) =>
      received.flatMap((each) => (each.path === path ? [Number(each.id.replace(/^seq_/, ''))] : [])),
    answer: (_, response) => response.writeHead(204).end(),
    close: () => stop(server),
  }
  return receiver
}

/** Tells whether one of the signatures fits, as any library of Standard Webhooks checks it. */
export function isSigned({ headers, body, id }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${headers['webhook-timestamp']}.${body}`).digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .some((signature) => {
      const [version, value = ''] = signature.split(',')
      const given = Buffer.from(value, 'base64')
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
    })
}

/** Inserts an endpoint that begins before the first delta. @returns its secret */
export async function insertEndpoint(
  sql: postgres.Sql,
  {
    id,
    url,
    owner = `0x${'aa'.repeat(20)}`,
    ...filter
  }: {
    readonly id: string
    readonly url: string
    readonly owner?: string
    readonly filter_kind?: string
    readonly filter_owner?: string
  },
): Promise<string> {
  const secret = createSecret()
  await sql`
    insert into users (address, status, search_text, created_at, updated_at)
    values (${owner}, 'active', '', now(), now()) on conflict do nothing`
  await sql`insert into webhook_endpoints ${sql({ id, owner, name: id, url, secret, position: 0, ...filter })}`
  return secret
}
