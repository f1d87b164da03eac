import { setTimeout as sleep } from 'node:timers/promises'
import { createWalletClient, type Hex, http, type LocalAccount, publicActions } from 'viem'
import { createChainClient, signIn } from '#lib/client/index.ts'
import { MAX_BATCH } from '#lib/protocol/payload.ts'
import type { BatchAnswer, BatchRequest } from '#lib/server/operations/studio/publication.ts'
import type { ExampleEntity, ExamplePiece } from './entity.ts'
import { exampleNetwork } from './network.ts'

interface PublishProgress {
  readonly done: number
  readonly total: number
}

interface PublishOptions {
  /** A node of the chain, to which the account sends its transactions. */
  readonly rpcUrl: string
  /** Prepares a transaction that publishes several drafts with their authors' words. */
  readonly prepareBatch: (request: BatchRequest) => Promise<BatchAnswer>
  readonly onProgress?: (progress: PublishProgress) => void
  /** Sends requests; the global `fetch` by default. */
  readonly fetch?: (request: Request) => Promise<Response>
  /** Hashes of the bundles of Worlds, by slug; pieces whose World is missing name none. */
  readonly bundles?: ReadonlyMap<string, string>
}

interface Session extends Pick<PublishOptions, 'prepareBatch'> {
  readonly api: string
  readonly fetch: (request: Request) => Promise<Response>
  readonly account: LocalAccount
  readonly chain: ReturnType<typeof chainClient>
  /** Shared by requests that run side by side. */
  token: Promise<string> | undefined
  readonly bundles: NonNullable<PublishOptions['bundles']>
  /** Content hashes of what this run published, by `<kind>/<name>`. */
  readonly published: Map<string, string>
}

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** For each request and wait; a busy machine takes its time. */
const TIMEOUT_MS = 120_000
/** More would wait at the server's compiler, and on a slow machine for longer than a request may take. */
const CREATIONS_AT_ONCE = 3

/**
 * Publishes what is missing of the example network, as any client would: drafts through the chain API, then as many as
 * one transaction takes in each. Safe to repeat: what is published is left alone, what was begun is finished.
 * @param chainApi Base address of the chain API.
 * @throws Error that names the entity and what the API answered.
 */
export async function publishExampleNetwork(
  chainApi: string,
  account: LocalAccount,
  { rpcUrl, prepareBatch, onProgress, fetch: send = fetch, bundles = new Map() }: PublishOptions,
): Promise<void> {
  const session: Session = {
    ...{ api: chainApi, fetch: send, account, prepareBatch, bundles },
    chain: chainClient(account, rpcUrl),
    token: undefined,
    published: new Map(),
  }
  const missing = await unpublished(session, exampleNetwork)
  const total = missing.length
  for (const level of levelsOf(missing)) await inLanes(level, (entity) => create(session, entity))
  const deadline = Date.now() + TIMEOUT_MS
  let waiting: readonly ExampleEntity[] = missing
  while (waiting.length > 0) {
    onProgress?.({ done: total - waiting.length, total })
    try {
      waiting = waiting.slice(await publishBatch(session, batchOf(session, waiting)))
    } catch (error) {
      // Published before, but not listed yet.
      if (Date.now() > deadline || !String(error).includes(': 409 ')) throw error
      await sleep(200)
      waiting = await unpublished(session, waiting)
    }
  }
  for (const entity of missing) await whenListed(session, entity)
}

function chainClient(account: LocalAccount, rpcUrl: string) {
  return createWalletClient({ account, transport: http(rpcUrl), pollingInterval: 100 }).extend(publicActions)
}

/** Entities by how many others stand between them and code: each is made of those of the levels before. */
function levelsOf(entities: readonly ExampleEntity[]): readonly (readonly ExampleEntity[])[] {
  const levels: ExampleEntity[][] = []
  const levelOf = new Map<string, number>()
  for (const entity of entities) {
    const below = (entity.request.dimensions ?? []).flatMap(({ composite = [], bindings = {} }) => [
      ...[composite].flat(),
      ...Object.values(bindings),
    ])
    const lowerLevels = below.map((name) => levelOf.get(name) ?? 0)
    const level = entity.kind === 'connector' ? Math.max(0, ...lowerLevels) + 1 : 0
    if (entity.kind === 'connector') levelOf.set(entity.name, level)
    levels[level] ??= []
    levels[level].push(entity)
  }
  // Those without a missing entity are holes.
  return levels.filter((level) => level !== undefined)
}

async function inLanes<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const lanes = Array.from({ length: CREATIONS_AT_ONCE }, async (_, lane) => {
    for (const item of items.filter((_, index) => index % CREATIONS_AT_ONCE === lane)) await run(item)
  })
  await Promise.all(lanes)
}

/** The first of them, up to one that was made from another of them: that has to be published before. */
function batchOf({ published }: Session, entities: readonly ExampleEntity[]): readonly ExampleEntity[] {
  const names = new Set<string>()
  const end = entities.findIndex(({ kind, name, madeFrom }) => {
    names.add(`${kind}/${name}`)
    const origin = `${kind}/${madeFrom}`
    return madeFrom !== undefined && names.has(origin) && !published.has(origin)
  })
  return entities.slice(0, Math.min(MAX_BATCH, end === -1 ? entities.length : end))
}

/** @returns how many of them it published: the first ones. */
async function publishBatch(session: Session, entities: readonly ExampleEntity[]): Promise<number> {
  const { chain, published } = session
  const words = await Promise.all(entities.map((entity) => wordsOf(session, entity)))
  const batch = await session.prepareBatch({
    items: entities.map((entity, index) => ({
      kind: entity.kind,
      name: entity.name,
      words: words[index],
    })),
  })
  const { to, data, gas } = batch.transaction
  const hash = await chain.sendTransaction({
    chain: null,
    to: to as Hex,
    data: data as Hex,
    gas: BigInt(gas),
  })
  const { status } = await chain.waitForTransactionReceipt({ hash, timeout: TIMEOUT_MS })
  if (status !== 'success') throw new Error(`The transaction ${hash} of the example network was reverted`)
  for (const { kind, name, content_hash } of batch.items) published.set(`${kind}/${name}`, content_hash)
  return batch.items.length
}

async function unpublished(
  session: Session,
  entities: readonly ExampleEntity[],
): Promise<readonly ExampleEntity[]> {
  const missing: ExampleEntity[] = []
  for (const entity of entities) if (!(await isPublished(session, entity))) missing.push(entity)
  return missing
}

async function isPublished(session: Session, entity: ExampleEntity): Promise<boolean> {
  const { status, body } = await request(session, 'GET', `/${entity.kind}/${entity.name}`)
  return status === 200 && body.address !== '0x0'
}

async function create(session: Session, entity: ExampleEntity): Promise<void> {
  const { status, body } = await authorized(session, `/${entity.kind}`, entity.request)
  // 409: published already, but the worker has not come to it yet. What follows finds out.
  if (status !== 201 && status !== 409) {
    throw new Error(`Could not create ${entity.kind} ${entity.name}: ${status} ${JSON.stringify(body)}`)
  }
}

async function wordsOf(
  session: Session,
  entity: ExampleEntity | ExamplePiece,
): Promise<BatchRequest['items'][number]['words']> {
  const { kind, description, request, madeFrom } = entity
  const origin = madeFrom === undefined ? undefined : await publishedHash(session, kind, madeFrom)
  return {
    description,
    licence: 'CC0-1.0',
    ...(madeFrom !== undefined &&
      origin !== undefined && { made_from: [{ kind, name: madeFrom, content_hash: origin }] }),
    ...(request.sol_src !== undefined && { source: request.sol_src }),
    ...('present' in entity && { title: entity.title, present: presentOf(entity, session.bundles) }),
  }
}

/** Content hash of what this run or one before it published; the registry has it before the lists do. */
async function publishedHash(
  session: Session,
  kind: ExampleEntity['kind'],
  name: string,
): Promise<string | undefined> {
  const { published } = session
  const key = `${kind}/${name}`
  if (!published.has(key)) {
    const { body } = await authorized(session, `/publish/${kind}/prepare`, { name })
    if (body.status === 'published') published.set(key, String(body.content_hash))
  }
  return published.get(key)
}

function presentOf(
  { present: { world: slug, ...present } }: ExamplePiece,
  bundles: Session['bundles'],
): Readonly<Record<string, unknown>> {
  const bundle = bundles.get(slug)
  return { ...present, ...(bundle !== undefined && { world: { bundle_hash: bundle, slug } }) }
}

/** Reads serve what the worker has projected: wait until it has come this far. */
async function whenListed(session: Session, entity: ExampleEntity): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS
  while (!(await isPublished(session, entity))) {
    if (Date.now() > deadline) {
      throw new Error(`${entity.kind} ${entity.name} is on chain, but the worker has not listed it`)
    }
    await sleep(100)
  }
}

async function authorized(session: Session, path: string, body: unknown): Promise<Answer> {
  session.token ??= logIn(session)
  const token = session.token
  const answer = await request(session, 'POST', path, body, await token)
  if (answer.status !== 401) return answer
  // It expired; the first request that fails signs in again.
  if (session.token === token) session.token = logIn(session)
  return request(session, 'POST', path, body, await session.token)
}

function logIn({ api, fetch, account }: Session): Promise<string> {
  return signIn(createChainClient(api, { fetch }), account)
}

async function request(
  session: Session,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  token?: string,
): Promise<Answer> {
  const request = new Request(`${session.api}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const response = await session.fetch(request)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
