import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { LocalAccount } from 'viem'
import { readManifest } from '../../lib/worlds/bundle/manifest.ts'
import { folderFiles } from '../world-kit/folder-files.ts'
import { packWorld } from '../world-kit/pack.ts'

interface SampleWorld {
  readonly folder: string
  readonly slug: string
  readonly version: string
}

interface PublishedWorld {
  readonly id: string
  readonly slug: string
  readonly version: string
  readonly ownerId: string
}

interface PublishOptions {
  /** Origin that the session belongs to, as people type it. */
  readonly siteOrigin: string
  readonly chainId: number
  /** How requests are sent; the global `fetch` unless given. */
  readonly fetch?: (request: Request) => Promise<Response>
}

const SAMPLES = new URL('../../worlds/', import.meta.url).pathname
const PATIENCE_MS = 30_000

/** Folders of `worlds/`, with what their manifests say. @throws Error that names a folder whose manifest is wrong. */
export function sampleWorlds(): readonly SampleWorld[] {
  return readdirSync(SAMPLES).map((name) => {
    const folder = join(SAMPLES, name)
    const read = readManifest(folderFiles(folder).get('world-manifest.json') ?? new Uint8Array())
    if ('problems' in read) throw new Error(`${folder}: ${read.problems.join('; ')}`)
    return { folder, slug: read.manifest.slug, version: read.manifest.version }
  })
}

/**
 * Publishes what is missing of the sample Worlds through the services API, as any client would, and replaces those of
 * another version. Safe to repeat; what stands at one of the slugs and belongs to somebody else is left alone.
 *
 * @param servicesApi Base address of the services API.
 * @throws Error that names the World and what the API answered.
 */
export async function publishSampleWorlds(
  servicesApi: string,
  account: LocalAccount,
  { siteOrigin, chainId, fetch: send = fetch }: PublishOptions,
): Promise<void> {
  const request = async (method: string, path: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { ...init.headers, Origin: new URL(siteOrigin).origin }
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const response = await send(new Request(`${servicesApi}${path}`, { ...init, method, headers, signal }))
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  const logIn = async (): Promise<string> => {
    const post = (path: string, body: unknown) =>
      request('POST', path, { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
    const challenge = await post('/auth/siwe/challenge', { address: account.address, chain_id: chainId })
    const { message } = challenge as { message: string }
    const signature = await account.signMessage({ message })
    return (await post('/auth/siwe/verify', { message, signature })) as string
  }

  let token: string | undefined
  for (const { folder, slug, version } of sampleWorlds()) {
    const found = (await request('GET', `/worlds?limit=100&q=${slug}`)) as readonly PublishedWorld[]
    const published = found.find((world) => world.slug === slug)
    if (published && (published.ownerId !== account.address || published.version === version)) continue
    token ??= await logIn()
    const form = new FormData()
    form.set('bundle', new Blob([await packWorld(folder)], { type: 'application/zip' }), `${slug}.zip`)
    const [method, path] = published ? ['PATCH', `/worlds/${published.id}`] : ['POST', '/worlds/upload']
    try {
      await request(method, path, { headers: { Authorization: `Bearer ${token}` }, body: form })
    } catch (cause) {
      throw new Error(
        `Could not publish the World ${slug}: ${cause instanceof Error ? cause.message : cause}`,
        { cause },
      )
    }
  }
}
