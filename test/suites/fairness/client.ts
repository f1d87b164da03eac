import { randomInt } from 'node:crypto'
import { Agent, request as nodeRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { EncodedForm } from '#test/support/form.ts'

/** A request of a client that comes from `from`, by way of the proxy that the site trusts. */
interface Sent {
  readonly from: string
  readonly method?: string
  readonly path: string
  readonly json?: unknown
  readonly form?: EncodedForm
  readonly token?: string | undefined
}

export interface Answer {
  readonly status: number
  readonly text: string
}

export type Ask = (sent: Sent, signal?: AbortSignal) => Promise<Answer>

const TIMEOUT_MS = 60_000

export function createAsk(origin: string): { readonly ask: Ask; readonly close: () => void } {
  const agent = new Agent({ keepAlive: true })
  const ask: Ask = ({ from, method = 'GET', path, json, form, token }, signal) =>
    new Promise((resolve, reject) => {
      const body = json === undefined ? form?.body : Buffer.from(JSON.stringify(json))
      const headers = {
        'X-Forwarded-For': from,
        Origin: origin,
        'Sec-Fetch-Site': 'same-origin',
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && {
          'Content-Type': form?.headers['content-type'] ?? 'application/json',
          'Content-Length': body.byteLength,
        }),
      }
      const until = AbortSignal.timeout(TIMEOUT_MS)
      const options = { agent, method, headers, signal: signal ? AbortSignal.any([signal, until]) : until }
      const request = nodeRequest(origin + path, options, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject)
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, text: String(Buffer.concat(chunks)) }),
        )
      })
      request.once('error', reject).end(body)
    })
  return { ask, close: () => agent.destroy() }
}

/** A connection on which a request can be sent by hand. */
export function dial(origin: string): Socket {
  const { hostname, port } = new URL(origin)
  return connect(Number(port), hostname).on('error', () => undefined)
}

/** An address that hardly another client has. */
export function newAddress(): string {
  return `198.${randomInt(18, 20)}.${randomInt(256)}.${randomInt(1, 255)}`
}

/** Keeps `places` requests in flight until the signal; what is refused is repeated as soon as that is said. */
export async function flood(
  places: number,
  signal: AbortSignal,
  one: (n: number) => Promise<unknown>,
): Promise<void> {
  const work = async (n: number) => {
    while (!signal.aborted) {
      await one(n).catch(() => undefined)
      // A flood of refusals would measure this program.
      await sleep(5)
    }
  }
  await Promise.all(Array.from({ length: places }, (_, n) => work(n)))
}

/** A token of the chain API of a new account. */
export async function newToken(ask: Ask): Promise<string> {
  const account: LocalAccount = privateKeyToAccount(generatePrivateKey())
  const from = newAddress()
  const asked = await ask({ from, path: `/chain/nonce/${account.address}` })
  const message = `Login nonce: ${(JSON.parse(asked.text) as { nonce: string }).nonce}`
  const signature = await account.signMessage({ message })
  const json = { address: account.address, message, signature }
  const answer = await ask({ from, method: 'POST', path: '/chain/auth', json })
  return (JSON.parse(answer.text) as { access_token: string }).access_token
}
