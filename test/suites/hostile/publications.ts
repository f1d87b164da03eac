import { encodeAbiParameters, keccak256 } from 'viem'
import {
  encodePublish,
  encodePublishBatch,
  NO_METADATA,
  PUBLISH_SELECTOR,
  type Publication,
} from '#lib/chain/publication-calldata.ts'
import { registryAbi } from '#lib/protocol/abi.ts'
import { codeContentHash, connectorContentHash } from '#lib/protocol/content-hash.ts'
import type { ConnectorDefinition } from '#lib/protocol/definition.ts'
import type { Address, EntityKind, Hash, Hex } from '#lib/protocol/entity.ts'
import { KIND_CODE } from '#lib/protocol/entity.ts'
import { encodeConnectorPayload } from '#lib/protocol/payload.ts'
import { references } from '#lib/protocol/references.ts'
import { type ConnectorSketch, define } from '#test/support/definitions.ts'

/** Content to publish, as the registry hashes it. */
export interface Content {
  readonly kind: EntityKind
  readonly name: string
  readonly contentHash: Hash
  readonly payload: Hex
  /** Arguments of a code entity, leaves of a connector. */
  readonly size: number
  readonly depth: number
}

const FAR_FUTURE = 2n ** 40n

export function codeContent(
  kind: 'transformation' | 'condition',
  name: string,
  argsCount: number,
  runtime: Hex,
): Content {
  return {
    kind,
    name,
    contentHash: codeContentHash(kind, name, argsCount, runtime),
    payload: encodeAbiParameters([{ type: 'uint32' }, { type: 'bytes' }], [argsCount, runtime]),
    size: argsCount,
    depth: 0,
  }
}

/** @throws Error when a name it uses is not known to `lookup`. */
export function connectorContent(
  sketch: ConnectorSketch,
  lookup: (kind: EntityKind, name: string) => Content | undefined,
): Content {
  const definition = define(sketch)
  const payload = encodeConnectorPayload(definition)
  const found = (kind: EntityKind, name: string): Content => {
    const content = lookup(kind, name)
    if (content === undefined) throw new Error(`no ${kind} ${name}`)
    return content
  }
  const hashes = references(definition).map(({ kind, name }) => found(kind, name).contentHash)
  return {
    kind: 'connector',
    name: sketch.name,
    contentHash: connectorContentHash(sketch.name, keccak256(payload), hashes),
    payload,
    ...extentOf(definition, (name) => found('connector', name)),
  }
}

function extentOf(
  { dimensions }: ConnectorDefinition,
  connector: (name: string) => Content,
): { size: number; depth: number } {
  let size = 0
  let depth = 0
  for (const { composite, bindings } of dimensions) {
    const below = composite === '' ? { size: 1, depth: 0 } : connector(composite)
    const bound = bindings.map(({ name }) => connector(name))
    size += bound.reduce((sum, each) => sum + each.size - 1, below.size)
    depth = Math.max(depth, below.depth + Math.max(0, ...bound.map((each) => each.depth)))
  }
  return { size, depth: depth + 1 }
}

export interface PublicationOptions {
  readonly nonce?: bigint
  readonly metadata?: Hex
  readonly signature?: Hex
}

function publicationOf(content: Content, owner: Address, options: PublicationOptions): Publication {
  const { nonce = 0n, metadata = NO_METADATA } = options
  const { kind, name, contentHash, payload } = content
  return { kind, name, owner, contentHash, nonce, deadline: FAR_FUTURE, payload, metadata }
}

/** Calldata of `publish`; without a signature it is accepted from the owner alone. */
export function publishCalldata(content: Content, owner: Address, options: PublicationOptions = {}): Hex {
  return encodePublish(publicationOf(content, owner, options), options.signature)
}

/** Calldata of `publishBatch`, with the nonces of an owner that published nothing yet. */
export function batchCalldata(contents: readonly Content[], owner: Address, metadata?: Hex): Hex {
  return encodePublishBatch(
    contents.map((content, i) =>
      publicationOf(content, owner, { nonce: BigInt(i), ...(metadata !== undefined && { metadata }) }),
    ),
  )
}

function word(value: number | bigint | Hex): string {
  return (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0')
}

const publish = registryAbi.find((item) => item.type === 'function' && item.name === 'publish')
if (publish?.type !== 'function') throw new Error('the registry ABI has no function publish')
const FIELDS = publish.inputs[0].components

/**
 * Calldata with many calls of `publish` inside each other's bytes, all of which claim to be one publication and share
 * one payload.
 */
export function falseHeads(claimed: Content, owner: Address, heads: number, payload: Hex): Hex {
  const name = Buffer.from(claimed.name, 'ascii').toString('hex')
  const nameWords = `${word(claimed.name.length)}${name.padEnd(Math.ceil(name.length / 64) * 64, '0')}`
  // Selector, two offsets, the fields, the name.
  const size = 4 + 64 + FIELDS.length * 32 + nameWords.length / 2
  const shared = `${word((payload.length - 2) / 2)}${payload.slice(2)}`
  const values: Record<string, number | bigint | Hex> = {
    kind: KIND_CODE[claimed.kind],
    owner,
    contentHash: claimed.contentHash,
    nonce: 0,
    deadline: FAR_FUTURE,
  }
  const head = (i: number): string => {
    const toPayload = (heads - i) * size - 68
    const fields = FIELDS.map(({ name: field, type }) => {
      if (field === 'name') return word(FIELDS.length * 32)
      // Every other part of variable length is the shared one.
      if (type === 'bytes') return word(toPayload)
      return word(values[field] ?? 0)
    })
    // The signature is the shared bytes as well: offsets of the arguments count from behind the selector.
    return `${PUBLISH_SELECTOR.slice(2)}${word(64)}${word(64 + toPayload)}${fields.join('')}${nameWords}`
  }
  return `0x${Array.from({ length: heads }, (_, i) => head(i)).join('')}${shared}`
}

/** A connector's payload whose dimensions all share one dimension, whose strings all are one string. */
export function sharedStringsPayload(dimensions: number, calls: number, text: number): Hex {
  const length = Math.max(1, text)
  const textWords = `${word(length)}${'61'.repeat(length).padEnd(Math.ceil(length / 32) * 64, '0')}`
  // The definition: four offsets, then the dimensions, all of which are the one behind their offsets.
  const dimensionsAt = 128
  const dimensionAt = 32 * dimensions
  const callsAt = 96
  const callSize = 96
  const callAt = 32 * calls
  // Within the dimension: its three offsets, the calls, then an empty list for bindings, then the text.
  const emptyAt = callsAt + 32 + callAt + callSize
  const textAt = emptyAt + 32
  const dimension = [
    word(callsAt),
    word(textAt),
    word(emptyAt),
    word(calls),
    ...Array.from({ length: calls }, () => word(callAt)),
    // The one call: its name is the text, its arguments the empty list.
    word(textAt - (callsAt + 32 + callAt)),
    word(emptyAt - (callsAt + 32 + callAt)),
    word(0),
    word(0),
    textWords,
  ].join('')
  const definitionEmptyAt = dimensionsAt + 32 + 32 * dimensions + emptyAt
  return `0x${[
    word(32),
    word(dimensionsAt),
    word(dimensionsAt + 32 + dimensionAt + textAt),
    word(definitionEmptyAt),
    word(definitionEmptyAt),
    word(dimensions),
    ...Array.from({ length: dimensions }, () => word(dimensionAt)),
    dimension,
  ].join('')}`
}
