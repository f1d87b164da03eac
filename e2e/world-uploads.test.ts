import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { bundleForm } from '../test/support/form.ts'
import { makeBundle } from '../test/worlds/support/bundle.ts'

const { site, servicesApi } = inject('endpoints')
const MIB = 1024 * 1024

let token: string
beforeAll(async () => {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const post = async (path: string, body: unknown) => {
    const headers = { 'Content-Type': 'application/json', Origin: site }
    const answer = await fetch(servicesApi + path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status).toBe(200)
    return answer.json()
  }
  const { message } = await post('/auth/siwe/challenge', { address: wallet.address, chain_id: 31_337 })
  token = await post('/auth/siwe/verify', { message, signature: await wallet.signMessage({ message }) })
})

/** A good bundle of exactly so many bytes. */
function bundleOf(bytes: number, slug: string) {
  const part = (size: number) => [{ name: 'pad.bin', content: new Uint8Array(size), stored: true }]
  return makeBundle({ slug }, part(bytes - makeBundle({ slug }, part(0)).byteLength))
}

async function upload(bundle: Uint8Array<ArrayBuffer>): Promise<Response> {
  const { body, headers } = await bundleForm(bundle)
  return fetch(`${servicesApi}/worlds/upload`, {
    method: 'POST',
    headers: { ...headers, Authorization: `Bearer ${token}` },
    body,
  })
}

/** Sends a form that never ends, and returns the response and the number of bytes sent by then. */
function sendEndless(
  headers: OutgoingHttpHeaders,
  most = Number.POSITIVE_INFINITY,
): Promise<{ status: number; sentMiB: number }> {
  return new Promise((resolve, reject) => {
    let sent = 0
    const source = Readable.from(
      (function* () {
        yield Buffer.from('--x\r\nContent-Disposition: form-data; name="bundle"; filename="b.zip"\r\n\r\n')
        const piece = Math.min(65_536, most)
        while (sent < most) {
          sent += piece
          yield Buffer.alloc(piece)
        }
      })(),
    )
    const sending = httpRequest(`${servicesApi}/worlds/validate`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x', ...headers },
    })
    sending.once('response', (answer: IncomingMessage) => {
      source.destroy()
      answer.resume()
      sending.destroy()
      resolve({ status: answer.statusCode ?? 0, sentMiB: sent / MIB })
    })
    sending.on('error', reject)
    source.on('error', () => {})
    source.pipe(sending)
  })
}

describe('uploads to the built site', () => {
  test('25 MiB are published and served; one byte more is 413', async () => {
    const answer = await upload(bundleOf(25 * MIB, 'as-large-as-can-be'))
    expect(answer.status).toBe(200)
    const world = (await answer.json()) as { id: string }
    const file = await fetch(`${servicesApi}/world-assets/${world.id}/pad.bin`)
    expect(file.status).toBe(200)
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(24 * MIB)
    const over = await upload(bundleOf(25 * MIB + 1, 'too-large'))
    expect([over.status, await over.text()]).toEqual([413, 'The file is larger than 25 MiB'])
    const gone = await fetch(`${servicesApi}/worlds/${world.id}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${token}` },
    })
    expect(gone.status).toBe(204)
    expect((await fetch(`${servicesApi}/world-assets/${world.id}/pad.bin`)).status).toBe(404)
  })

  test('a body without a length and without an end is 413 when the limit is reached', async () => {
    const { status, sentMiB } = await sendEndless({ 'Transfer-Encoding': 'chunked' })
    expect(status).toBe(413)
    // After its answer the site takes 64 MiB more, of which a busy machine may send some before it reads the answer.
    expect(sentMiB).toBeLessThan(25 + 64 + 1)
  })

  test('an announced length beyond the limit is 413 before the body is read', async () => {
    const { status, sentMiB } = await sendEndless({ 'Content-Length': 10 * 1024 * MIB })
    expect(status).toBe(413)
    expect(sentMiB).toBeLessThan(64 + 1)
  })

  test('a length that is too small is 400, and the site continues to serve', async () => {
    // Little more: a client that is still sending when the connection is closed may never read the response.
    expect((await sendEndless({ 'Content-Length': 1000 }, 2000)).status).toBe(400)
    expect((await fetch(`${servicesApi}/health`)).status).toBe(200)
  })

  test('a bomb is 400 and others are answered meanwhile', async () => {
    const bombs = Array.from({ length: 4 }, (_, i) =>
      upload(makeBundle({ slug: `bomb-${i}` }, [{ name: 'bomb.bin', content: new Uint8Array(90 * MIB) }])),
    )
    const slowest = Promise.all(bombs)
    expect((await fetch(`${servicesApi}/health`)).status).toBe(200)
    for (const answer of await slowest) {
      expect(answer.status).toBe(400)
      expect(await answer.text()).toMatch(/200 times/)
    }
  })
})
