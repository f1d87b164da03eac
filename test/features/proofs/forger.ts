import { bytesToHex, encodeAbiParameters, hexToBytes, keccak256, stringToHex, toRlp } from 'viem/utils'
import { type Certificate, writeCertificate } from '#lib/features/proofs/checker/certificate.ts'
import { entrySlots, REGISTRY, RUNNER } from '#lib/features/proofs/checker/contracts.ts'
import { decodeHeader } from '#lib/features/proofs/checker/header.ts'
import { type Address, type EntityKind, type Hash, type Hex, KIND_CODE } from '#lib/protocol/entity.ts'
import { entityAddress } from '#lib/protocol/entity-address.ts'
import type { ProvenEntity } from '#lib/protocol/entity-tree.ts'
import registryArtifact from '../../../contracts/artifacts/Registry.json' with { type: 'json' }
import runnerArtifact from '../../../contracts/artifacts/Runner.json' with { type: 'json' }

/**
 * Makes files that are consistent and of no chain at all: the genuine code of Registry and Runner, and around it a state, a
 * storage and a header of our own.
 */

export const FORGED_REGISTRY: Address = `0x${'a1'.repeat(20)}`
const FORGED_RUNNER: Address = `0x${'b2'.repeat(20)}`
const CHAIN_ID = 1
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

export function forgedEntity(kind: EntityKind, name: string, code: Hex): ProvenEntity {
  return { kind, name, code: hexToBytes(code) }
}

export function addressOf({ kind, name, code }: ProvenEntity): Address {
  return entityAddress(FORGED_REGISTRY, KIND_CODE[kind], name, code)
}

/** @param contentHash Of the root; a wrong one is found by every checker. */
export function forge(
  entities: readonly ProvenEntity[],
  contentHash: Hash,
  run: Pick<Certificate, 'result' | 'answer'> & Partial<Certificate>,
): Promise<string> {
  const [root] = entities as [ProvenEntity]
  const slots = entrySlots(KIND_CODE.connector, root.name)
  const storage = trie([
    [keccak256(slots.entity), toRlp(minimal(addressOf(root)))],
    [keccak256(slots.content), toRlp(minimal(contentHash))],
  ])
  const registryCode = registryCodeOf()
  const runnerCode = filled(runnerArtifact.deployedBytecode as Hex, RUNNER.words, [
    word(FORGED_REGISTRY),
    word(FORGED_REGISTRY),
  ])
  const state = trie([
    [keccak256(FORGED_REGISTRY), account(storage.root, registryCode)],
    [keccak256(FORGED_RUNNER), account(EMPTY_ROOT, runnerCode)],
    ...entities.map((one) => [keccak256(addressOf(one)), account(EMPTY_ROOT, one.code)] as const),
  ])
  const header = headerOf(state.root)
  const decoded = decodeHeader(header)
  if (decoded === undefined) throw new Error('the forged header is malformed')
  return writeCertificate({
    chain: { id: CHAIN_ID, registry: FORGED_REGISTRY, runner: FORGED_RUNNER },
    connector: root.name,
    count: 4,
    starts: [],
    block: { number: decoded.number, hash: decoded.hash, final: true },
    sources: ['eth.example', 'Helios'],
    header,
    registryCode,
    runnerCode,
    entities,
    nodes: [...state.nodes, ...storage.nodes],
    ...run,
  })
}

function headerOf(stateRoot: Hex): Uint8Array {
  const zeros = (size: number): Hex => `0x${'00'.repeat(size)}`
  return toRlp(
    [
      ...[zeros(32), zeros(32), zeros(20), stateRoot, zeros(32), zeros(32), zeros(256)],
      ...(['0x', '0x0147cd2e', '0x01c9c380', '0x', '0x68e00000', '0x', zeros(32), zeros(8)] as const),
    ],
    'bytes',
  )
}

function registryCodeOf(): Uint8Array {
  const [name, version] = [keccak256(stringToHex('Weft Registry')), keccak256(stringToHex('1'))]
  const type = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'
  const domain = keccak256(
    encodeAbiParameters(
      ['bytes32', 'bytes32', 'bytes32', 'uint256', 'address'].map((each) => ({ type: each })),
      [keccak256(stringToHex(type)), name, version, BigInt(CHAIN_ID), FORGED_REGISTRY],
    ),
  )
  return filled(registryArtifact.deployedBytecode as Hex, REGISTRY.words, [
    ...[shortText('Weft Registry'), shortText('1'), word(FORGED_REGISTRY), domain, name, version],
    word(`0x${CHAIN_ID.toString(16)}`),
  ])
}

function filled(code: Hex, places: readonly number[], words: readonly Hex[]): Uint8Array {
  const bytes = hexToBytes(code)
  for (const [i, at] of places.entries()) bytes.set(hexToBytes(words[i] as Hex), at)
  return bytes
}

function word(value: Hex): Hex {
  return `0x${value.slice(2).padStart(64, '0')}`
}

function shortText(text: string): Hex {
  return `0x${stringToHex(text).slice(2).padEnd(62, '0')}${text.length.toString(16).padStart(2, '0')}`
}

function minimal(value: Hex): Hex {
  const digits = value.slice(2).replace(/^(00)+/, '')
  return `0x${digits}`
}

function account(storageRoot: Hex, code: Uint8Array): Hex {
  return toRlp(['0x01', '0x', storageRoot, keccak256(code)])
}

type Item = Hex | readonly Item[]

/** A Merkle-Patricia trie of keys of 32 bytes. */
function trie(entries: readonly (readonly [key: Hash, value: Hex])[]) {
  const nodes: Uint8Array[] = []
  const store = (node: Item): Item => {
    const encoded = toRlp(node as Hex[], 'bytes')
    if (encoded.length < 32) return node
    nodes.push(encoded)
    return keccak256(encoded)
  }
  const build = (open: readonly (readonly [path: string, value: Hex])[]): Item => {
    const [first] = open as [readonly [string, Hex]]
    if (open.length === 1) return [prefixed(first[0], true), first[1]]
    const shared = sharedPrefix(open.map(([path]) => path))
    if (shared.length > 0) {
      const rest = open.map(([path, value]) => [path.slice(shared.length), value] as const)
      return [prefixed(shared, false), store(build(rest))]
    }
    return [
      ...Array.from('0123456789abcdef', (digit): Item => {
        const below = open
          .filter(([path]) => path[0] === digit)
          .map(([path, value]) => [path.slice(1), value] as const)
        return below.length === 0 ? '0x' : store(build(below))
      }),
      '0x',
    ]
  }
  const top = toRlp(build(entries.map(([key, value]) => [key.slice(2), value])) as Hex[], 'bytes')
  return { root: keccak256(top), nodes: [top, ...nodes] }
}

function prefixed(path: string, isLeaf: boolean): Hex {
  const odd = path.length % 2 === 1
  const flag = (isLeaf ? 2 : 0) + (odd ? 1 : 0)
  return `0x${flag}${odd ? '' : '0'}${path}`
}

function sharedPrefix(paths: readonly string[]): string {
  const [first] = paths as [string]
  let length = 0
  while (length < first.length && paths.every((path) => path[length] === first[length])) length++
  return first.slice(0, length)
}

export function hexOf(bytes: Uint8Array): string {
  return bytesToHex(bytes).slice(2)
}
