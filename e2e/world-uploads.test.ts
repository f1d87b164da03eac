import { expect, inject, test } from 'vitest'
import { makeBundle } from '#test/core/worlds/support/bundle.ts'
import { bundleForm } from '#test/support/form.ts'
import { signInToServices, uploadWorld } from '#test/support/services-account.ts'

const { site, servicesApi } = inject('endpoints')
const MIB = 1024 * 1024

/** A good bundle of exactly so many bytes. */
function bundleOf(bytes: number, slug: string) {
  const part = (size: number) => [{ name: 'pad.bin', content: new Uint8Array(size), stored: true }]
  return makeBundle({ slug }, part(bytes - makeBundle({ slug }, part(0)).byteLength))
}

test('25 MiB are published and served by the built site; one byte more is 413', async () => {
  const { token } = await signInToServices(site)
  const authorization = { Authorization: `Bearer ${token}` }
  const { id } = await uploadWorld(site, token, bundleOf(25 * MIB, 'as-large-as-can-be'))
  const file = await fetch(`${servicesApi}/world-assets/${id}/pad.bin`)
  expect(file.status).toBe(200)
  expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(24 * MIB)
  const { body, headers } = await bundleForm(bundleOf(25 * MIB + 1, 'too-large'))
  const over = await fetch(`${servicesApi}/worlds/upload`, {
    method: 'POST',
    headers: { ...headers, ...authorization },
    body,
  })
  expect([over.status, await over.text()]).toEqual([413, 'The file is larger than 25 MiB'])
  const gone = await fetch(`${servicesApi}/worlds/${id}`, { method: 'DELETE', headers: authorization })
  expect(gone.status).toBe(204)
  expect((await fetch(`${servicesApi}/world-assets/${id}/pad.bin`)).status).toBe(404)
})
