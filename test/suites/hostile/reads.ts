import { isDeepStrictEqual } from 'node:util'
import { readPublishedEvent } from '#lib/chain/published-event.ts'
import { findPieces } from '#lib/core/entities/author-words.ts'
import { issueChainToken } from '#lib/core/identity/chain-token.ts'
import { searchView } from '#lib/features/search/pages/search-view.ts'
import { type Address, ENTITY_KINDS, type EntityKind, type Hash, type Hex } from '#lib/protocol/entity.ts'
import { discoverView, readDiscoverQuery } from '#lib/views/discover.ts'
import { connectorView, entityView, formatView } from '#lib/views/entity.ts'
import { feedView } from '#lib/views/feed.ts'
import { readFeedQuery } from '#lib/views/feed-query.ts'
import { homeView } from '#lib/views/home.ts'
import { runView } from '#lib/views/run-page.ts'
import { userView } from '#lib/views/user.ts'
import { readWallQuery, wallView } from '#lib/views/wall.ts'
import { atomFeed, sitemap } from '#lib/views/xml-documents.ts'
import type { Random } from '../simulation/random.ts'
import type { HostileNetwork } from './network.ts'
import type { OnViolation } from './scene.ts'

/** A publication that the chain shows. */
export interface Registered {
  readonly kind: EntityKind
  readonly name: string
  readonly owner: Address
  readonly address: Address
  readonly contentHash: Hash
  readonly txHash: Hash
}

/** Everything that the registry has announced, in chain order. */
export async function registered(network: HostileNetwork): Promise<Registered[]> {
  const filter = { address: network.chain.registry, fromBlock: '0x0', toBlock: 'latest' }
  const logs = (await network.rpc('eth_getLogs', [filter])) as {
    topics: Hex[]
    data: Hex
    transactionHash: Hash
  }[]
  return logs.flatMap((log) => {
    const event = readPublishedEvent(log)
    return event ? [{ ...event, txHash: log.transactionHash }] : []
  })
}

interface Answer {
  readonly status: number
  readonly text: string
}

/** Names that are read in full after a round, and connectors of them that are run with as many particles as allowed. */
const MOST_READ = 40
const MOST_CONFIRMED = 6
const MOST_RUN = 14
const MOST_RUN_LONG = 2
const MOST_PARTICLES = 65_536
/** After it no further run or page is begun. */
const LONGEST_READING_MS = 12_000
/** An explanation that is longer is an author's to dictate. */
const LONGEST_ERROR = 64 * 1024

/** Reads what was published in every way that the site has, and notes whatever is not answered as it should be. */
export async function readEverything(
  network: HostileNetwork,
  fresh: readonly Registered[],
  random: Random,
  onViolation: OnViolation,
): Promise<void> {
  const reader = new Reader(network, onViolation)
  const shown = fresh.length <= MOST_READ ? fresh : random.shuffled(fresh).slice(0, MOST_READ)
  const giveUp = Date.now() + LONGEST_READING_MS
  const inTime = () => Date.now() < giveUp
  for (const entity of shown) await reader.entity(entity)
  for (const entity of shown.slice(0, MOST_CONFIRMED)) await reader.confirm(entity, random.pick(fresh))
  const connectors = random.shuffled(shown.filter(({ kind }) => kind === 'connector'))
  for (const { name } of connectors.slice(0, MOST_RUN)) {
    if (inTime()) await reader.run(name, random.pick([1, 3, 4, 17]))
  }
  for (const { name } of connectors.slice(0, MOST_RUN_LONG)) {
    if (inTime()) await reader.run(name, MOST_PARTICLES)
  }
  for (const entity of shown.slice(0, MOST_RUN)) {
    if (inTime()) await reader.pages(entity)
  }
  await reader.lists()
}

class Reader {
  readonly #network: HostileNetwork
  readonly #onViolation: OnViolation

  constructor(network: HostileNetwork, onViolation: OnViolation) {
    this.#network = network
    this.#onViolation = onViolation
  }

  /** All three kinds of the name; the one that is published must be found with the address that it has on chain. */
  async entity({ kind, name, address, owner }: Registered): Promise<void> {
    const code = await this.#network.rpc('eth_getCode', [address, 'latest'])
    for (const each of ENTITY_KINDS) {
      const get = await this.#call('GET', `/${each}/${name}`)
      const head = await this.#call('HEAD', `/${each}/${name}`)
      if (get === undefined || head === undefined || each !== kind) continue
      if (code === '0x') {
        // An entity without code is in no list, whatever the registry announced.
        if (get.status === 200) this.#onViolation(`GET /${each}/${name} shows an entity that has no code`)
        continue
      }
      if (get.status !== 200 || head.status !== 200) {
        this.#onViolation(
          `/${each}/${name} is published and answers ${get.status} ${get.text}, HEAD ${head.status}`,
        )
      } else if ((JSON.parse(get.text) as { address: string }).address !== address) {
        this.#onViolation(
          `GET /${each}/${name} has another address than ${address}: ${get.text.slice(0, 300)}`,
        )
      }
    }
    await this.#call('GET', `/account/${owner}?limit=256`)
  }

  /** Queries a publication by the transaction of another one, and by its own. */
  async confirm({ kind, name, owner, contentHash, txHash }: Registered, other: Registered): Promise<void> {
    for (const tx_hash of new Set([txHash, other.txHash])) {
      await this.#call('POST', `/publish/${kind}`, { name, content_hash: contentHash, tx_hash }, owner)
    }
  }

  /** A local run and one on chain: their results are equal. */
  async run(name: string, count: number): Promise<void> {
    const request = { connector_name: name, particles_count: count }
    const here = await this.#call('POST', '/simulate', request)
    const chain = await this.#call('POST', '/execute', request)
    if (here === undefined || chain === undefined) return
    if (here.status === 200 && chain.status === 200) {
      const { particles } = JSON.parse(chain.text) as { particles: unknown }
      if (JSON.stringify(particles) !== here.text) {
        this.#onViolation(
          `${name} with ${count}: simulate ${here.text.slice(0, 200)}, execute ${JSON.stringify(particles).slice(0, 200)}`,
        )
      }
    } else if (here.status === 200 && !/out of gas|OutOfGas|memory/i.test(chain.text)) {
      this.#onViolation(
        `${name} with ${count}: simulate ${here.text.slice(0, 200)}, execute ${chain.status} ${chain.text.slice(0, 300)}`,
      )
    }
  }

  async pages({ kind, name, owner }: Registered): Promise<void> {
    const { context } = this.#network
    if (kind === 'connector') {
      const view = await this.#page(`/connectors/${name}`, () => connectorView(context(), name))
      const entity = view?.entity
      const piece = (await findPieces(context(), [name])).get(name)
      const words = view?.words
      if (words?.title !== piece?.title || !isDeepStrictEqual(words?.present, piece?.present)) {
        this.#onViolation(
          `${name} is listed as ${JSON.stringify(piece)}, and its page says ${JSON.stringify(words)}`,
        )
      }
      if (piece?.title !== undefined) {
        const text = piece.title
        await this.#page(`/search?q=${text}`, () =>
          searchView(context(), { text, kind: undefined, page: 0, list: false }),
        )
      }
      if (entity !== undefined && 'formatHash' in entity) {
        await this.#page('/formats/…', () => formatView(context(), entity.formatHash, undefined))
      }
      await this.#page(`/run/${name}`, () =>
        runView(context(), { connector: name, count: 64, dynamicRi: [] }),
      )
    } else await this.#page(`/${kind}s/${name}`, () => entityView(context(), kind, name))
    await this.#page(`/search?q=${name}`, () =>
      searchView(context(), { text: name, kind: undefined, page: 0, list: false }),
    )
    await this.#page(`/users/${owner}`, () =>
      userView(context(), { address: owner, viewer: undefined, after: {}, before: undefined }),
    )
  }

  async lists(): Promise<void> {
    const { context } = this.#network
    for (const path of ['/feed?limit=256', '/accounts?limit=256', '/formats?limit=256']) {
      const answer = await this.#call('GET', path)
      if (answer !== undefined && answer.status !== 200)
        this.#onViolation(`GET ${path} answers ${answer.status}`)
    }
    await this.#stream()
    await this.#page('/', () => homeView(context()))
    await this.#page('/feed', () => feedView(context(), readFeedQuery({})))
    await this.#page('/discover', () => wallView(context(), readWallQuery({}), undefined))
    await this.#page('/discover used', () =>
      discoverView(context(), readDiscoverQuery({ kind: 'connector', sort: 'used' })!),
    )
    await this.#page('/discover formats', () =>
      discoverView(context(), readDiscoverQuery({ kind: 'format' })!),
    )
    await this.#page('/feed.xml', () => atomFeed(context(), undefined))
    await this.#page('/sitemap.xml', () => sitemap(context()))
  }

  async #call(method: string, path: string, body?: unknown, caller?: Address): Promise<Answer | undefined> {
    const token = caller && (await issueChainToken(this.#network.services, caller))
    const what = `${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`
    const answer = await this.#attempt(what, async () => {
      const response = await this.#network.fetch(
        new Request(`http://localhost/chain${path}`, {
          method,
          ...(body !== undefined && {
            body: JSON.stringify(body),
            headers: {
              'Content-Type': 'application/json',
              ...(token !== undefined && { Authorization: `Bearer ${token}` }),
            },
          }),
        }),
      )
      return { status: response.status, text: await response.text() }
    })
    if (answer === undefined) return undefined
    if (answer.status >= 500)
      this.#onViolation(`${what} answers ${answer.status} ${answer.text.slice(0, 500)}`)
    else if (answer.status >= 400 && answer.text.length > LONGEST_ERROR) {
      this.#onViolation(`${what} answers ${answer.status} with ${answer.text.length} characters`)
    }
    return answer
  }

  /** The beginning of the stream, which repeats every delta. */
  async #stream(): Promise<void> {
    await this.#attempt('GET /feed/stream', async () => {
      const ending = new AbortController()
      const request = new Request('http://localhost/chain/feed/stream?limit=2048', { signal: ending.signal })
      const response = await this.#network.fetch(request)
      if (response.status !== 200) this.#onViolation(`GET /feed/stream answers ${response.status}`)
      const reader = response.body?.getReader()
      await reader?.read()
      await reader?.cancel()
      ending.abort()
    })
  }

  #page<T>(what: string, read: () => Promise<T>): Promise<T | undefined> {
    return this.#attempt(`the page ${what}`, read)
  }

  async #attempt<T>(what: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read()
    } catch (error) {
      this.#onViolation(
        `${what} fails: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      )
      return undefined
    }
  }
}
