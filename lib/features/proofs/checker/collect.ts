import { bytesToHex, hexToBytes, numberToHex } from 'viem/utils'
import { checkInput, computeRun } from '#lib/engine/recheck.ts'
import { decodeConnectorCode } from '#lib/protocol/connector-code.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import { type Address, type EntityKind, type Hash, KIND_CODE } from '#lib/protocol/entity.ts'
import { entityAddress } from '#lib/protocol/entity-address.ts'
import { type ProvenEntity, readTree } from '#lib/protocol/entity-tree.ts'
import { quoted, Refusal } from '#lib/protocol/refusal.ts'
import { type Certificate, writeCertificate } from './certificate.ts'
import { entrySlots } from './contracts.ts'
import { addressOfWord, type Header } from './header.ts'
import type { AskNode } from './node.ts'
import { agreedHeader, answering, type Candidate, type Source } from './sources.ts'
import { NodePool, provenAccount, provenWord } from './trie.ts'

/** A run to certify. */
export interface RunToCertify {
  readonly registry: Address
  readonly runner: Address
  readonly connector: string
  readonly count: number
  readonly starts: readonly PositionedRunningInstance[]
  /** Shown result of the run; computed here when absent. */
  readonly shownResult: { readonly result: Certificate['result']; readonly answer: Uint8Array } | undefined
}

/** Names of what a connector is made of, itself included; proven by addresses, so any source will do. */
export type NamesOf = (connector: string) => Promise<readonly EntityName[]>

export interface EntityName {
  readonly kind: EntityKind
  readonly name: string
}

export interface Collected {
  /** Text of the file. */
  readonly text: string
  /** Sources that did not answer, or have no such block. */
  readonly silent: readonly string[]
}

const MAX_ENTITIES = 256
const AT_ONCE = 6
const MAX_NODES = 20_000

/** Codes of refusals by which a node contradicts the header that it gave. */
const CONTRADICTIONS: ReadonlySet<string> = new Set(['proof_missing', 'proof_node', 'account_absent'])
/**
 * Earlier blocks that are tried then. A development node changes the state of a block after it is mined, by
 * `anvil_setBalance` for instance, and can prove nothing of that block any more.
 */
const EARLIER_BLOCKS = 8

/**
 * Reads everything that proves a run from nodes, none of which is believed: `checkFile` decides.
 *
 * @param sources Give headers; the first that has the state gives proofs and code.
 * @throws Refusal when the sources disagree, or what is needed cannot be read.
 */
export async function collectCertificate(
  run: RunToCertify,
  sources: readonly Source[],
  namesOf: NamesOf,
): Promise<Collected> {
  const names = namesOf(run.connector)
  names.catch(() => undefined)
  const { chainId, awake, silent, candidates: open } = await answering(sources)
  let earlier = EARLIER_BLOCKS
  let refused: unknown
  for (let candidate = open.shift(); candidate !== undefined; candidate = open.shift()) {
    const agreed = await agreedHeader(awake, candidate)
    for (const { ask } of agreed.sources) {
      const at = numberToHex(candidate.number)
      try {
        const state = await readState(ask, at, run, agreed.header)
        const text = await certificateOf(run, chainId, candidate, agreed, state, await names)
        return { text, silent: [...silent, ...agreed.silent] }
      } catch (error) {
        refused = error
        if (!(error instanceof Refusal)) continue
        if (CONTRADICTIONS.has(error.code) && earlier > 0 && candidate.number > 0) {
          earlier--
          open.unshift({ ...candidate, number: candidate.number - 1 })
          break
        }
        // What was published after the final block is in a later one.
        if (open.length === 0 || error.code !== 'entry_absent') throw error
      }
    }
  }
  const why = refused instanceof Error ? ` (“${refused.message.slice(0, 160)}”)` : ''
  throw new Refusal('no_proof', `No source gives Merkle proofs of a block that all have${why}.`, false)
}

interface FoundState {
  readonly registryCode: Uint8Array
  readonly runnerCode: Uint8Array
  readonly codes: ReadonlyMap<Address, Uint8Array>
  readonly nodes: readonly Uint8Array[]
}

/** Reads the registry's entry, then code and proofs of everything below it. @throws NodeRefused, NodeSilent, Refusal */
async function readState(ask: AskNode, at: string, run: RunToCertify, header: Header): Promise<FoundState> {
  const { registry, runner, connector } = run
  const slots = entrySlots(KIND_CODE.connector, connector)
  const [ofRegistry, ofRunner, registryCode, runnerCode] = await Promise.all([
    readProof(ask, at, registry, [slots.entity, slots.content]),
    readProof(ask, at, runner, []),
    readCode(ask, at, registry),
    readCode(ask, at, runner),
  ])
  const pool = new NodePool(ofRegistry)
  const { storageRoot } = provenAccount(pool, header.stateRoot, registry, `registry at ${registry}`)
  const root = provenWord(pool, storageRoot, slots.entity, `entry of ${connector}`)
  if (root === 0n)
    throw new Refusal('entry_absent', `The registry had no connector ${quoted(connector)} at this block.`)
  const codes = await readCodes(ask, at, addressOfWord(root))
  const proofs = await inBatches([...codes.keys()], (address) => readProof(ask, at, address, []))
  const nodes = [...ofRegistry, ...ofRunner, ...proofs.flat()]
  if (nodes.length > MAX_NODES) throw new Refusal('too_large', 'The proofs are too many.', false)
  return { registryCode, runnerCode, codes, nodes }
}

/** Code of a connector and of everything that its data refer to, the root first. */
async function readCodes(ask: AskNode, at: string, root: Address): Promise<Map<Address, Uint8Array>> {
  const codes = new Map<Address, Uint8Array>()
  let next: { readonly address: Address; readonly isConnector: boolean }[] = [
    { address: root, isConnector: true },
  ]
  while (next.length > 0) {
    if (codes.size + next.length > MAX_ENTITIES) {
      throw new Refusal('too_large', `The connector has more than ${MAX_ENTITIES} parts.`, false)
    }
    const read = await inBatches(next, async (one) => ({
      ...one,
      code: await readCode(ask, at, one.address),
    }))
    const below = new Map<Address, boolean>()
    for (const { address, isConnector, code } of read) {
      codes.set(address, code)
      if (!isConnector) continue
      for (const part of usedBy(code)) below.set(part.address, part.isConnector)
    }
    next = [...below].flatMap(([address, isConnector]) =>
      codes.has(address) ? [] : [{ address, isConnector }],
    )
  }
  return codes
}

function usedBy(code: Uint8Array): { address: Address; isConnector: boolean }[] {
  let data: ReturnType<typeof decodeConnectorCode>
  try {
    data = decodeConnectorCode(bytesToHex(code))
  } catch {
    throw new Refusal('tree_data', 'The data of a connector are not what a registry writes.')
  }
  return [
    ...data.dimensions.flatMap(({ calls, composite }) => [
      ...calls.map(({ address }) => ({ address, isConnector: false })),
      ...(composite ? [composite, ...composite.bindings] : []).map(({ address }) => ({
        address,
        isConnector: true,
      })),
    ]),
    ...(data.condition ? [{ address: data.condition.address, isConnector: false }] : []),
  ]
}

async function certificateOf(
  run: RunToCertify,
  chainId: number,
  { final }: Candidate,
  agreed: Awaited<ReturnType<typeof agreedHeader>>,
  { registryCode, runnerCode, codes, nodes }: FoundState,
  names: readonly EntityName[],
): Promise<string> {
  const { registry, runner, connector, count, starts, shownResult } = run
  const entities = [...codes].map(([address, code]) => withName(registry, address, code, names))
  const tree = readTree(registry, entities)
  checkInput(tree)
  const answer = shownResult ?? outcome(computeRun({ tree, count, starts }))
  return writeCertificate({
    chain: { id: chainId, registry, runner },
    ...{ connector, count, starts, registryCode, runnerCode, entities },
    block: { number: agreed.header.number, hash: agreed.header.hash, final },
    sources: agreed.sources.map(({ name }) => name),
    ...answer,
    header: agreed.encoded,
    nodes: neededNodes(nodes, agreed.header, run, tree.entities.keys()),
  })
}

function outcome({ ok, output }: { readonly ok: boolean; readonly output: Uint8Array }) {
  return { result: ok ? ('particles' as const) : ('revert' as const), answer: output }
}

/** The name under which the registry created an address. */
function withName(
  registry: Address,
  address: Address,
  code: Uint8Array,
  names: readonly EntityName[],
): ProvenEntity {
  const match = names.find(
    ({ kind, name }) => entityAddress(registry, KIND_CODE[kind], name, code) === address,
  )
  if (match !== undefined) return { kind: match.kind, name: match.name, code }
  throw new Refusal('tree_missing', `No name of the tree belongs to the code at ${address}.`)
}

/** Nodes that the check passes; a node may send more, and what does not add up is left to the check. */
function neededNodes(
  nodes: readonly Uint8Array[],
  header: Header,
  { registry, runner, connector }: RunToCertify,
  entities: Iterable<Address>,
): Uint8Array[] {
  const pool = new NodePool(nodes)
  const slots = entrySlots(KIND_CODE.connector, connector)
  const { storageRoot } = provenAccount(pool, header.stateRoot, registry, 'registry')
  for (const address of [runner, ...entities]) provenAccount(pool, header.stateRoot, address, address)
  for (const slot of Object.values(slots)) provenWord(pool, storageRoot, slot, `entry of ${connector}`)
  return pool.usedNodes()
}

async function readCode(ask: AskNode, at: string, address: Address): Promise<Uint8Array> {
  return bytesFrom(await ask('eth_getCode', [address, at]), 65_536, 'code')
}

async function readProof(
  ask: AskNode,
  at: string,
  address: Address,
  slots: readonly Hash[],
): Promise<Uint8Array[]> {
  const answer = (await ask('eth_getProof', [address, slots, at])) as {
    readonly accountProof?: unknown
    readonly storageProof?: unknown
  } | null
  const storage = Array.isArray(answer?.storageProof) ? answer.storageProof : []
  const lists = [answer?.accountProof, ...storage.map((one: { proof?: unknown } | null) => one?.proof)]
  return lists.flatMap((list) => {
    if (!Array.isArray(list) || list.length > 128) throw new Error('a proof is no list of nodes')
    return list.map((node) => bytesFrom(node, 4096, 'node of a proof'))
  })
}

function bytesFrom(value: unknown, most: number, what: string): Uint8Array {
  if (typeof value !== 'string' || value.length > 2 + 2 * most || !/^0x([0-9a-fA-F]{2})*$/.test(value)) {
    throw new Error(`a ${what} is not made of bytes`)
  }
  return hexToBytes(value as `0x${string}`)
}

async function inBatches<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(read))))
  }
  return results
}
