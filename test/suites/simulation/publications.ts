import { encodeAbiParameters, encodeEventTopics, keccak256, stringToHex } from 'viem'
import { encodePublish, NO_METADATA } from '#lib/chain/publication-calldata.ts'
import { registryAbi } from '#lib/protocol/abi.ts'
import type { BuiltArtifact } from '#lib/protocol/artifact.ts'
import { encodeConnectorCode } from '#lib/protocol/connector-code.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { ConnectorDefinition } from '#lib/protocol/definition.ts'
import { type Address, type EntityKind, type Hex, KIND_CODE } from '#lib/protocol/entity.ts'
import { encodePayload } from '#lib/protocol/payload.ts'
import { define } from '#test/support/definitions.ts'
import { Random } from './random.ts'

/** Entity that a branch of the chain knows by a name. */
export interface Registered {
  readonly artifact: BuiltArtifact
  readonly owner: Address
  readonly address: Address
  readonly code: Hex
  readonly metadata: Hex
  /** The announced content is there: not for code that destroyed itself, and what stands on it. */
  readonly verified: boolean
}

/** Entities of one block's state, by `<kind>/<name>`. */
export type RegistryState = ReadonlyMap<string, Registered>

/** Way to call the registry: by the transaction itself, from inside other calldata, or with nothing to see. */
export type Disguise = 'plain' | 'wrapped' | 'hidden'

/** A pending publication. The parts of a connector are chosen when it is mined. */
export interface Wish {
  readonly kind: EntityKind
  readonly name: string
  /** Two authors may want the same name for different code. */
  readonly version: number
  readonly owner: Address
}

export const OWNERS: readonly Address[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(
  (n): Address => `0x${n.toString(16).padStart(40, '0')}`,
)

const TRANSFORMATIONS = Array.from({ length: 20 }, (_, i) => `turn${i}`)
/** Announced, and destroyed in the same transaction. */
const GHOSTS: ReadonlySet<string> = new Set(['turn18', 'turn19'])
const CONDITIONS = Array.from({ length: 6 }, (_, i) => `when${i}`)
const CONNECTORS = Array.from({ length: 34 }, (_, i) => `weave${i}`)

/** Names the owner of everything could think of; `__proto__` and its like are names as any other. */
export const NAMES: readonly { readonly kind: EntityKind; readonly name: string }[] = [
  ...[...TRANSFORMATIONS, 'constructor', '__proto__'].map((name) => ({
    kind: 'transformation' as const,
    name,
  })),
  ...[...CONDITIONS, 'toString'].map((name) => ({ kind: 'condition' as const, name })),
  ...CONNECTORS.map((name) => ({ kind: 'connector' as const, name })),
]

function argsCountOf(name: string): number {
  return name.length % 3
}

/** The same in every run: which seed is chosen decides about the chain, not about what can be published. */
const definitions: ReadonlyMap<string, ConnectorDefinition> = new Map(
  CONNECTORS.map((name, i) => {
    const random = new Random(1000 + i)
    const calls = () =>
      Array.from({ length: random.between(0, 3) }, () => {
        const called = random.pick(TRANSFORMATIONS)
        return { name: called, args: Array.from({ length: argsCountOf(called) }, (_, n) => n + i) }
      })
    const dimensions = Array.from({ length: random.between(1, 3) }, () => ({
      transformations: calls(),
      ...(i > 4 && random.chance(0.4) ? { composite: CONNECTORS[random.between(0, i - 1)] as string } : {}),
    }))
    const condition = random.chance(0.3) ? random.pick(CONDITIONS) : ''
    const condition_args = condition === '' ? [] : Array.from({ length: argsCountOf(condition) }, () => -7)
    return [name, define({ name, dimensions, condition_name: condition, condition_args })]
  }),
)

/** @returns undefined when this state does not have what the wish needs, or has the name already. */
export function publishIn(state: RegistryState, wish: Wish): Registered | undefined {
  const { kind, name, version, owner } = wish
  if (state.has(`${kind}/${name}`)) return undefined
  const artifact = artifactOf(state, wish)
  if (artifact === undefined) return undefined
  const address: Address = `0x${keccak256(stringToHex(`${artifact.contentHash} ${owner}`)).slice(26)}`
  const addressOf = (k: EntityKind, n: string) => state.get(`${k}/${n}`)?.address as Address
  const deployed =
    artifact.kind === 'connector'
      ? encodeConnectorCode(artifact.definition, addressOf, artifact.leaves.length, artifact.depth)
      : artifact.runtime
  const code = GHOSTS.has(name) ? '0x' : deployed
  const verified =
    artifact.kind === 'connector'
      ? artifact.dependencies.every((used) => state.get(`${used.kind}/${used.name}`)?.verified)
      : code !== '0x'
  const metadata = name.length % 2 === 0 ? stringToHex(`words on ${name} ${version}`) : NO_METADATA
  return { artifact, owner, address, code, metadata, verified }

  function artifactOf(known: RegistryState, { kind: wished }: Wish): BuiltArtifact | undefined {
    if (wished !== 'connector') {
      const runtime: Hex = `0x60${version.toString(16).padStart(2, '0')}00${stringToHex(name).slice(2)}`
      const argsCount = argsCountOf(name)
      return {
        kind: wished,
        name,
        argsCount,
        runtime,
        contentHash: codeContentHash(wished, name, argsCount, runtime),
      }
    }
    try {
      return buildConnector(
        definitions.get(name) as ConnectorDefinition,
        (k, n) => known.get(`${k}/${n}`)?.artifact,
      )
    } catch {
      return undefined
    }
  }
}

/** Calldata of one call of the registry. */
export function calldataOf({ artifact, owner, metadata }: Registered): Hex {
  return encodePublish({
    kind: artifact.kind,
    name: artifact.name,
    owner,
    contentHash: artifact.contentHash,
    nonce: 0n,
    deadline: 2n ** 40n,
    payload: encodePayload(artifact),
    metadata,
  })
}

/** Events of the registry. */
export function eventOf({ artifact, owner, address, metadata }: Registered): { topics: Hex[]; data: Hex } {
  return {
    topics: encodeEventTopics({
      abi: registryAbi,
      eventName: 'Published',
      args: { kind: KIND_CODE[artifact.kind], owner, nameHash: keccak256(stringToHex(artifact.name)) },
    }) as Hex[],
    data: encodeAbiParameters(
      [
        { type: 'string' },
        { type: 'address' },
        { type: 'bytes32' },
        { type: 'bytes32' },
        { type: 'uint256' },
      ],
      [artifact.name, address, artifact.contentHash, keccak256(metadata), 0n],
    ),
  }
}
