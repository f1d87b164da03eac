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
