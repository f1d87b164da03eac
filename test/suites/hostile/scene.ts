import { getContractAddress, keccak256, stringToHex } from 'viem'
import { decodePublish } from '#lib/chain/publication-calldata.ts'
import { issueChainToken } from '#lib/core/identity/chain-token.ts'
import type { Address, EntityKind, Hex } from '#lib/protocol/entity.ts'
import { decodePayload } from '#lib/protocol/payload.ts'
import { Random } from '../simulation/random.ts'
import type { Scene, Transaction } from './attack.ts'
import { carrierCode } from './evm.ts'
import type { HostileNetwork } from './network.ts'
import { type Content, codeContent, connectorContent, publishCalldata } from './publications.ts'

/** Publications on a chain, made or about to be, by `<kind>/<name>`. */
export class Catalogue {
  readonly #contents = new Map<string, Content>()

  add(content: Content): void {
    this.#contents.set(`${content.kind}/${content.name}`, content)
  }

  readonly lookup = (kind: EntityKind, name: string): Content | undefined =>
    this.#contents.get(`${kind}/${name}`)

  of(kind: EntityKind): readonly Content[] {
    return [...this.#contents.values()].filter((content) => content.kind === kind)
  }
}

/** A response that must never be returned. */
export type OnViolation = (what: string) => void

interface SceneOptions {
  readonly network: HostileNetwork
  readonly catalogue: Catalogue
  /** Names and accounts are made of it, so those of two scenes differ. */
  readonly id: number
  readonly pending: Scene['pending']
  readonly onViolation: OnViolation
}

const METADATA = stringToHex('{"description":"as ordinary as can be"}')
const NAMED = 'abcdefghij'

export function createScene({ network, catalogue, id, pending, onViolation }: SceneOptions): Scene {
  const random = new Random(id * 7919 + 17)
  const { registry, runner } = network.chain
  let made = 0
  const address = (what: string): Address =>
    `0x${keccak256(stringToHex(`${what} ${id} ${made++}`)).slice(26)}`
  const post = async (
    path: string,
    owner: Address,
    body: unknown,
  ): Promise<Record<string, unknown> | undefined> => {
    const response = await network.fetch(
      new Request(`http://localhost/chain${path}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${await issueChainToken(network.services, owner)}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify(body),
      }),
    )
    const answer = (await response.json()) as Record<string, unknown>
    if (response.status >= 500)
      onViolation(`POST ${path} answers ${response.status}: ${JSON.stringify(answer)}`)
    return response.ok ? answer : undefined
  }
  const prepare = async (
    kind: EntityKind,
    name: string,
    owner: Address,
  ): Promise<Transaction | undefined> => {
    const answer = await post(`/publish/${kind}/prepare`, owner, { name })
    const transaction = answer?.transaction as { to: Address; data: Hex; gas: Hex } | undefined
    if (transaction === undefined) return undefined
    const { to, data, gas } = transaction
    return { from: owner, to: to.toLowerCase() as Address, data, gas: Number(gas), honest: true }
  }

  const scene: Scene = {
    registry,
    runner,
    random,
    pending,
    account: () => address('account'),
    async carrier() {
      return scene.contract(carrierCode(registry))
    },
    async contract(code) {
      const at = address('contract')
      await network.rpc('anvil_setCode', [at, code])
      return at
    },
    created: (account) => getContractAddress({ from: account, nonce: 0n }).toLowerCase() as Address,
    name(prefix, length = 0) {
      const digits = [...`${id}`].map((digit) => NAMED[Number(digit)]).join('')
      return `${prefix}_${digits}_${made++}`.padEnd(length, '_')
    },
    async addressOf(content) {
      const owner = address('asker')
      const params = [{ from: owner, to: registry, data: publishCalldata(content, owner) }, 'latest']
      const answer = await network.rpc('eth_call', params).catch(() => undefined)
      return `0x${typeof answer === 'string' ? answer.slice(26, 66) : '00'.repeat(20)}`
    },
    lookup: catalogue.lookup,
    known(kind, most = Number.POSITIVE_INFINITY) {
      const all = catalogue.of(kind)
      return Number.isFinite(most) ? Array.from({ length: all.length && most }, () => random.pick(all)) : all
    },
    publishes(content) {
      catalogue.add(content)
      return content
    },
    connector: (sketch) => connectorContent(sketch, catalogue.lookup),
    direct(content, owner = address('owner')) {
      const metadata = random.chance(0.5) ? METADATA : '0x'
      // 200 gas a byte of code, and of calldata what public chains take for it.
      const gas = 5_000_000 + content.payload.length * 150
      return { from: owner, to: registry, data: publishCalldata(content, owner, { metadata }), gas }
    },
    async prepared(kind, name, body) {
      const owner = address('author')
      if ((await post(`/${kind}`, owner, { name, sol_src: body })) === undefined) return undefined
      const transaction = await prepare(kind, name, owner)
      if (transaction === undefined) return undefined
      const payload = decodePublish(transaction.data)?.publication.payload
      const decoded = payload && decodePayload(kind, name, payload)
      if (decoded === undefined || decoded.kind === 'connector')
        throw new Error('a prepared call is no publication')
      catalogue.add(codeContent(kind, name, decoded.argsCount, decoded.runtime))
      return transaction
    },
    async preparedConnector(sketch) {
      const owner = address('author')
      if ((await post('/connector', owner, sketch)) === undefined) return undefined
      const transaction = await prepare('connector', sketch.name, owner)
      if (transaction !== undefined) catalogue.add(connectorContent(sketch, catalogue.lookup))
      return transaction
    },
  }
  return scene
}
