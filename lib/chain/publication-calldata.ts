import { decodeFunctionData, encodeFunctionData, getAbiItem, toFunctionSelector } from 'viem'
import { registryAbi } from '#lib/protocol/abi.ts'
import {
  type Address,
  ENTITY_KINDS,
  type EntityKind,
  type Hash,
  type Hex,
  KIND_CODE,
} from '#lib/protocol/entity.ts'

/** The argument of `Registry.publish`. */
export interface Publication {
  readonly kind: EntityKind
  readonly name: string
  readonly owner: Address
  readonly contentHash: Hash
  /** The owner's publication nonce, not the account's. */
  readonly nonce: bigint
  /** Unix seconds. */
  readonly deadline: bigint
  readonly payload: Hex
  /** Author metadata, see `author-metadata.ts`; `NO_METADATA` without any. */
  readonly metadata: Hex
}

export const NO_METADATA: Hex = '0x'

/** Entity kind of a numeric kind of the contract, if any. */
export function kindOfCode(code: number): EntityKind | undefined {
  return ENTITY_KINDS.find((kind) => KIND_CODE[kind] === code)
}

function toTuple(publication: Publication) {
  return { ...publication, kind: KIND_CODE[publication.kind] }
}

/** Calldata of `publish`. An empty signature is accepted when the owner is the sender. */
export function encodePublish(publication: Publication, signature: Hex = '0x'): Hex {
  return encodeFunctionData({
    abi: registryAbi,
    functionName: 'publish',
    args: [toTuple(publication), signature],
  })
}

/** Calldata of `publishBatch`: publications of one owner with consecutive nonces, dependencies first. */
export function encodePublishBatch(publications: readonly Publication[], signature: Hex = '0x'): Hex {
  return encodeFunctionData({
    abi: registryAbi,
    functionName: 'publishBatch',
    args: [publications.map(toTuple), signature],
  })
}

/**
 * Decodes calldata of `publish`.
 *
 * @returns undefined for other calldata; `canonical` is false for moved offsets and trailing bytes, which contracts
 *   accept as well.
 */
export function decodePublish(
  data: Hex,
): { publication: Publication; signature: Hex; canonical: boolean } | undefined {
  try {
    const call = decodeFunctionData({ abi: registryAbi, data })
    if (call.functionName !== 'publish') return undefined
    const [fields, signature] = call.args
    const kind = kindOfCode(fields.kind)
    if (kind === undefined) return undefined
    const publication = { ...fields, kind, owner: fields.owner.toLowerCase() as Address }
    return { publication, signature, canonical: encodePublish(publication, signature) === data.toLowerCase() }
  } catch {
    return undefined
  }
}

/** The selector of `publish`, with `0x`. */
export const PUBLISH_SELECTOR: Hex = toFunctionSelector(getAbiItem({ abi: registryAbi, name: 'publish' }))
