import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

export interface ServicesAccount {
  readonly account: PrivateKeyAccount
  /** Bearer token of the services API. */
  readonly token: string
}

/** Signs an account in to the services API of a running program. */
export async function signInToServices(
  site: string,
  account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey()),
): Promise<ServicesAccount> {
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(`${site}/services${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: new URL(site).origin },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return response.json()
  }
  const challenge = { address: account.address, chain_id: 31_337 }
  const { message } = (await post('/auth/siwe/challenge', challenge)) as { message: string }
  const signature = await account.signMessage({ message })
  return { account, token: (await post('/auth/siwe/verify', { message, signature })) as string }
}

/** Publishes a World through the services API. */
export async function uploadWorld(
  site: string,
  token: string,
  bundle: Uint8Array<ArrayBuffer>,
): Promise<{ readonly id: string; readonly slug: string }> {
  const form = new FormData()
  form.set('bundle', new Blob([bundle], { type: 'application/zip' }), 'bundle.zip')
  const response = await fetch(`${site}/services/worlds/upload`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: form,
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as { id: string; slug: string }
}
