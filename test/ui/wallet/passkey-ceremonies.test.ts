import { expect, test, vi } from 'vitest'
import { createPasskey } from '#lib/ui/wallet/connect/passkey-ceremonies.ts'

test('a device that makes no ES256 keys is asked for nothing else, and the visitor reads why', async () => {
  const offers: unknown[] = []
  const create = ({ publicKey }: { publicKey: PublicKeyCredentialCreationOptions }) => {
    offers.push(publicKey.pubKeyCredParams.map(({ alg }) => alg))
    return Promise.reject(new DOMException('None of these', 'NotSupportedError'))
  }
  const navigator = { credentials: { create } }
  vi.stubGlobal('navigator', navigator)
  vi.stubGlobal('window', { navigator })
  vi.stubGlobal('document', { title: 'Weft' })
  vi.stubGlobal('location', { hostname: 'weft.example' })
  vi.stubGlobal('PublicKeyCredential', class {})

  const passkey = createPasskey('0x00000000000000000000000000000000000000aa')
  await expect(passkey).rejects.toThrow('makes no passkeys of the kind that chains can check (ES256)')
  expect(offers).toEqual([[-7]])
})
