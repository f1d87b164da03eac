import { keccak256 } from 'viem'
import type { PublishedEvent } from '#lib/chain/published-event.ts'
import type { Artifact, ConnectorArtifact, Dependency } from '#lib/protocol/artifact.ts'
import { type ConnectorCode, decodeConnectorCode } from '#lib/protocol/connector-code.ts'
import { codeContentHash, connectorContentHash } from '#lib/protocol/content-hash.ts'
import type { ConnectorDefinition } from '#lib/protocol/definition.ts'
import type { Address, EntityKind, Hash, Hex, UnverifiedReason } from '#lib/protocol/entity.ts'
import { encodeConnectorPayload } from '#lib/protocol/payload.ts'
import { references } from '#lib/protocol/references.ts'
import type { DeployedEntity } from './chain-source.ts'

/** Fields of a published entity that a connector over it depends on. */
export interface Registered {
  readonly kind: EntityKind
  readonly name: string
  readonly contentHash: Hash
}

/** Returns the verified entity at an address, if any. */
export type RegisteredAt = (address: Address) => Registered | undefined

export type CodeArtifact = Exclude<Artifact, ConnectorArtifact>

/** A verified connector before it is built: without leaves and format. */
export interface VerifiedConnector {
  readonly kind: 'connector'
  readonly definition: ConnectorDefinition
  readonly dependencies: readonly Dependency[]
}

export type Verdict =
  | { readonly verified: true; readonly content: CodeArtifact | VerifiedConnector }
  | { readonly verified: false; readonly reason: UnverifiedReason }

/** Compares deployed code with the content hash of the event. */
export function verify(
  event: PublishedEvent,
  { code, argsCount }: DeployedEntity,
  registeredAt: RegisteredAt,
): Verdict {
  const { kind, name, contentHash } = event
  if (code === '0x') return unverified('missing_code')
  if (kind === 'connector') return verifyConnector(event, code, registeredAt)
  return codeContentHash(kind, name, argsCount, code) === contentHash
    ? { verified: true, content: { kind, name, argsCount, runtime: code, contentHash } }
    : unverified('content_mismatch')
}

function verifyConnector(event: PublishedEvent, bytes: Hex, registeredAt: RegisteredAt): Verdict {
  const code = parseConnector(bytes)
  if (code === undefined || code.name !== event.name) return unverified('content_mismatch')
  const registered = new Map<string, Registered>()
  for (const { kind, address } of addressesOf(code)) {
    const entity = registeredAt(address)
    if (entity?.kind !== kind) return unverified('unverified_dependency')
    registered.set(`${kind}/${entity.name}`, entity)
  }
  const nameAt = (address: Address) => registeredAt(address)?.name as string
  const definition: ConnectorDefinition = {
    name: code.name,
    dimensions: code.dimensions.map(({ calls, composite }) => ({
      transformations: calls.map(({ address, args }) => ({ name: nameAt(address), args })),
      composite: composite ? nameAt(composite.address) : '',
      bindings: (composite?.bindings ?? []).map(({ slot, address }) => ({ slot, name: nameAt(address) })),
    })),
    conditionName: code.condition ? nameAt(code.condition.address) : '',
    conditionArgs: code.condition?.args ?? [],
    staticRi: code.staticRi,
  }
  const dependencies = references(definition).map(({ kind, name }) => ({
    kind,
    name,
    contentHash: (registered.get(`${kind}/${name}`) as Registered).contentHash,
  }))
  const hash = connectorContentHash(
    code.name,
    keccak256(encodeConnectorPayload(definition)),
    dependencies.map(({ contentHash }) => contentHash),
  )
  return hash === event.contentHash
    ? { verified: true, content: { kind: 'connector', definition, dependencies } }
    : unverified('content_mismatch')
}

function unverified(reason: UnverifiedReason): Verdict {
  return { verified: false, reason }
}

/** Decodes connector data. @returns undefined for any other code. */
export function parseConnector(code: Hex): ConnectorCode | undefined {
  try {
    return decodeConnectorCode(code)
  } catch {
    return undefined
  }
}

/** Yields every address in connector data with the kind of entity it must hold. */
export function* addressesOf({
  dimensions,
  condition,
}: ConnectorCode): Generator<{ readonly kind: EntityKind; readonly address: Address }> {
  for (const { calls, composite } of dimensions) {
    for (const { address } of calls) yield { kind: 'transformation', address }
    if (composite === undefined) continue
    yield { kind: 'connector', address: composite.address }
    for (const { address } of composite.bindings) yield { kind: 'connector', address }
  }
  if (condition) yield { kind: 'condition', address: condition.address }
}
