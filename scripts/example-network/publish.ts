import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex, LocalAccount } from 'viem'
import { createChainClient, signIn } from '#lib/client/index.ts'
import type { PreparationRequest } from '#lib/server/operations/studio/publication.ts'
import type { ExampleEntity, ExamplePiece } from './entity.ts'
import { exampleNetwork } from './network.ts'

interface PublishProgress {
  readonly done: number
  readonly total: number
}

interface PublishOptions {
  readonly onProgress?: (progress: PublishProgress) => void
  /** Sends requests; the global `fetch` by default. */
  readonly fetch?: (request: Request) => Promise<Response>
  /** Prepares a publication with its author's words; without it, or where it fails, they are left out. */
  readonly prepareWorded?: (request: PreparationRequest) => Promise<Record<string, unknown>>
  /** Hashes of the bundles of Worlds, by slug; pieces whose World is missing name none. */
  readonly bundles?: ReadonlyMap<string, string>
}

interface Session {
  readonly api: string
  readonly fetch: (request: Request) => Promise<Response>
  readonly account: LocalAccount
  /** Shared by requests that run side by side. */
  token: Promise<string> | undefined
  readonly prepareWorded: PublishOptions['prepareWorded']
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
 * Publishes what is missing of the example network through the chain API, as any client would. Safe to repeat: what
 * is published is left alone, what was begun is finished.
 * @param chainApi Base address of the chain API.
 * @throws Error that names the entity and what the API answered.
 */
export async function publishExampleNetwork(
  chainApi: string,
  account: LocalAccount,
  options: PublishOptions = {},
): Promise<void> {
  const session: Session = {
    api: chainApi,
    fetch: options.fetch ?? fetch,
    account,
    token: undefined,
    prepareWorded: options.prepareWorded,
    bundles: options.bundles ?? new Map(),
    published: new Map(),
  }
  const missing: ExampleEntity[] = []
  for (const entity of exampleNetwork) {
    if (!(await isPublished(session, entity))) missing.push(entity)
  }
  const created = new Map<ExampleEntity, Promise<void>>()
  // Bodies compile while others are being published; connectors need the ones before them.
  const lanes = Array.from({ length: CREATIONS_AT_ONCE }, () => Promise.resolve())
  for (const [index, entity] of missing.filter(({ kind }) => kind !== 'connector').entries()) {
    const lane = index % CREATIONS_AT_ONCE
    const creation = (lanes[lane] ?? Promise.resolve()).then(() => create(session, entity))
    lanes[lane] = creation.catch(() => {})
    created.set(entity, creation)
  }
  const total = missing.length
  for (const [done, entity] of missing.entries()) {
    options.onProgress?.({ done, total })
    await (created.get(entity) ?? create(session, entity))
    await publish(session, entity)
  }
  for (const entity of missing) await whenListed(session, entity)
}

async function isPublished(session: Session, entity: ExampleEntity): Promise<boolean> {
  const { status, body } = await request(session, 'GET', `/${entity.kind}/${entity.name}`)
  return status === 200 && body.address !== '0x0'
}

async function create(session: Session, entity: ExampleEntity): Promise<void> {
  const { status, body } = await authorized(session, `/${entity.kind}`, entity.request)
  // 409: published already, but the worker has not come to it yet. What follows finds out.
  if (status !== 201 && status !== 409) throw refused('create', entity, status, body)
}

async function publish(session: Session, entity: ExampleEntity): Promise<void> {
  const { kind, name } = entity
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const prepared = await prepare(session, entity)
    if (prepared.status !== 200) throw refused('prepare', entity, prepared.status, prepared.body)
    if (prepared.body.status === 'published') return
    const sent = await authorized(session, `/publish/${kind}/send`, {
      name,
      content_hash: prepared.body.content_hash,
      raw_tx: await sign(session.account, prepared.body),
    })
    // 409: another transaction of this account came in between. Prepare again, as the API requires.
    if (sent.status === 409 && Date.now() < deadline) {
      await sleep(200)
      continue
    }
    if (sent.status !== 202) throw refused('send', entity, sent.status, sent.body)
    await confirm(session, entity, prepared.body.content_hash, sent.body.tx_hash, deadline)
    session.published.set(`${kind}/${name}`, String(prepared.body.content_hash))
    return
  }
}

async function prepare(session: Session, entity: ExampleEntity): Promise<Answer> {
  const { kind, name } = entity
  if (session.prepareWorded !== undefined) {
    const words = wordsOf(session, entity)
    const body = await session.prepareWorded({ kind, name, relay: true, words }).catch(() => undefined)
    if (body !== undefined) return { status: 200, body }
  }
  return authorized(session, `/publish/${kind}/prepare`, { name, relay: true })
}

function wordsOf(
  { published, bundles }: Session,
  entity: ExampleEntity | ExamplePiece,
): NonNullable<PreparationRequest['words']> {
  const { kind, description, request, madeFrom } = entity
  const origin = madeFrom === undefined ? undefined : published.get(`${kind}/${madeFrom}`)
  return {
    description,
    licence: 'CC0-1.0',
    ...(madeFrom !== undefined &&
      origin !== undefined && { made_from: [{ kind, name: madeFrom, content_hash: origin }] }),
    ...(typeof request.sol_src === 'string' && { source: request.sol_src }),
    ...('present' in entity && { title: entity.title, present: presentOf(entity, bundles) }),
  }
}

function presentOf(
  { present: { world: slug, ...present } }: ExamplePiece,
  bundles: Session['bundles'],
): Readonly<Record<string, unknown>> {
  const bundle = bundles.get(slug)
  return { ...present, ...(bundle !== undefined && { world: { bundle_hash: bundle, slug } }) }
}

async function confirm(
  session: Session,
  entity: ExampleEntity,
  contentHash: unknown,
  txHash: unknown,
  deadline: number,
): Promise<void> {
  for (;;) {
    const { status, body } = await authorized(session, `/publish/${entity.kind}`, {
      name: entity.name,
      content_hash: contentHash,
      tx_hash: txHash,
    })
    if (status === 201) return
    if (status !== 202 || Date.now() > deadline) throw refused('confirm', entity, status, body)
    await sleep(100)
  }
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

function sign(account: LocalAccount, prepared: Record<string, unknown>): Promise<Hex> {
  const transaction = prepared.transaction as Record<'to' | 'data' | 'chainId' | 'gas', Hex>
  const signing = prepared.signing as Record<'nonce' | 'maxFeePerGas' | 'maxPriorityFeePerGas', Hex>
  return account.signTransaction({
    type: 'eip1559',
    chainId: Number(transaction.chainId),
    nonce: Number(signing.nonce),
    to: transaction.to,
    data: transaction.data,
    value: 0n,
    gas: BigInt(transaction.gas),
    maxFeePerGas: BigInt(signing.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(signing.maxPriorityFeePerGas),
  })
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
  const sent = new Request(`${session.api}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const response = await session.fetch(sent)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

function refused(step: string, entity: ExampleEntity, status: number, body: Record<string, unknown>): Error {
  return new Error(`Could not ${step} ${entity.kind} ${entity.name}: ${status} ${JSON.stringify(body)}`)
}
