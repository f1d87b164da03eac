import type { LocalAccount } from 'viem'
import { createServicesClient, signInToServices } from '#lib/client/index.ts'
import type { BatchAnswer, BatchRequest } from '#lib/server/operations/studio/publication.ts'
import { packWorld } from './world-folder.ts'

interface PublishedWorld {
  readonly id: string
  readonly slug: string
  readonly version: string
  readonly ownerId: string
  /** SHA-256 of the bundle, 64 lower-case hex digits. */
  readonly bundleHash: string
}

export interface ServicesClientOptions {
  /** Base address of the services API. */
  readonly api: string
  /** Origin that the session belongs to, as shown to users. */
  readonly siteOrigin: string
  readonly chainId: number
  /** Sends requests; the global `fetch` by default. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** Worlds through the services API, as any client has them. */
export interface ServicesClient {
  /** The active World with a slug. */
  find(slug: string): Promise<PublishedWorld | undefined>
  /**
   * Uploads the World of a folder, replacing `published` if set; signs in first where needed.
   *
   * @throws Error with what the API answered.
   */
  publish(folder: string, published: PublishedWorld | undefined): Promise<PublishedWorld>
  /** Gives the account a display name, unless it has one. @throws Error with what the API answered. */
  name(displayName: string): Promise<void>
  /**
   * Prepares publications of several drafts as one transaction, as the studio does.
   *
   * @throws Error with what the site answered.
   */
  prepareBatch(request: BatchRequest): Promise<BatchAnswer>
  /** Stores a PNG as the still of a connector of the account. @throws Error with what the API answered. */
  putStill(name: string, png: Uint8Array<ArrayBuffer>): Promise<void>
}

/** For each request; a busy machine takes its time. */
const TIMEOUT_MS = 120_000

/** @param account Owns what is published. */
export function servicesClient(account: LocalAccount, options: ServicesClientOptions): ServicesClient {
  const { api, siteOrigin, chainId, fetch: send = fetch } = options
  let session: Promise<string> | undefined

  const request = async (method: string, path: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { ...init.headers, Origin: new URL(siteOrigin).origin }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const url = path.startsWith('/studio/') ? new URL(path, api) : `${api}${path}`
    const response = await send(new Request(url, { ...init, method, headers, signal }))
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  /** Signs in at the first thing that needs it. */
  const authorised = async (method: string, path: string, init: RequestInit = {}): Promise<unknown> => {
    session ??= signInToServices(createServicesClient(api, { fetch: send }), account, {
      origin: new URL(siteOrigin).origin,
      chainId,
    })
    return request(method, path, {
      ...init,
      headers: { ...init.headers, Authorization: `Bearer ${await session}` },
    })
  }
  const asJson = (value: object) => ({
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(value),
  })

  return {
    async find(slug) {
      const list = await request('GET', `/worlds?limit=100&q=${encodeURIComponent(slug)}`)
      return (list as readonly PublishedWorld[]).find((world) => world.slug === slug)
    },
    async publish(folder, published) {
      const body = new FormData()
      body.set('bundle', new Blob([await packWorld(folder)], { type: 'application/zip' }), 'bundle.zip')
      const [method, path] = published ? ['PATCH', `/worlds/${published.id}`] : ['POST', '/worlds/upload']
      return (await authorised(method, path, { body })) as PublishedWorld
    },
    async name(displayName) {
      const path = `/users/${account.address}`
      const { display_name } = (await authorised('GET', path)) as { display_name?: string | null }
      if (display_name) return
      await authorised('PATCH', path, asJson({ display_name: displayName }))
    },
    async putStill(name, png) {
      const body = new FormData()
      body.set('picture', new Blob([png], { type: 'image/png' }), 'picture.png')
      await authorised('PUT', `/pieces/${name}/still`, { body })
    },
    async prepareBatch(batch) {
      return (await authorised('POST', '/studio/api/publication-batch', asJson(batch))) as BatchAnswer
    },
  }
}
