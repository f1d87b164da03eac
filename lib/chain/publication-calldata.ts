import { decodeFunctionData, encodeFunctionData, getAbiItem, toFunctionSelector } from 'viem'
import {
  type Address,
  ENTITY_KINDS,
  type EntityKind,
  type Hash,
  type Hex,
  KIND_CODE,
} from '../domain/entity.ts'
import { registryAbi } from './abi.ts'

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
  /** The author's words; see `author-metadata.ts`. `NO_METADATA` without any. */
  readonly metadata: Hex
}

export const NO_METADATA: Hex = '0x'

/** Entity kind of a contract's numeric kind, undefined when there is none. */
export const kindOfCode = (code: number): EntityKind | undefined =>
  ENTITY_KINDS.find((kind) => KIND_CODE[kind] === code)

const toTuple = (publication: Publication) => ({ ...publication, kind: KIND_CODE[publication.kind] })

/** Calldata of `publish`. An empty signature is accepted when the owner is the sender. */
export const encodePublish = (publication: Publication, signature: Hex = '0x'): Hex =>
  encodeFunctionData({
    abi: registryAbi,
    functionName: 'publish',
    args: [toTuple(publication), signature],
  })

/** Calldata of `publishBatch`: publications of one owner with consecutive nonces, dependencies first. */
export const encodePublishBatch = (publications: readonly Publication[], signature: Hex = '0x'): Hex =>
  encodeFunctionData({
    abi: registryAbi,
    functionName: 'publishBatch',
    args: [publications.map(toTuple), signature],
  })

/**
 * Reads calldata of `publish`.
 *
 * @returns undefined when it is something else; `canonical` tells whether the bytes are the one plain encoding
 *   (contracts also accept moved offsets and trailing bytes).
 */
export const decodePublish = (
  data: Hex,
): { publication: Publication; signature: Hex; canonical: boolean } | undefined => {
  try {
    const call = decodeFunctionData({ abi: registryAbi, data })
    if (call.functionName !== 'publish') return undefined
    const [given, signature] = call.args
    const kind = kindOfCode(given.kind)
    if (kind === undefined) return undefined
    const publication = { ...given, kind, owner: given.owner.toLowerCase() as Address }
    return { publication, signature, canonical: encodePublish(publication, signature) === data.toLowerCase() }
  } catch {
    return undefined
  }
}

/** The selector of `publish`, with `0x`. */
export const PUBLISH_SELECTOR: Hex = toFunctionSelector(getAbiItem({ abi: registryAbi, name: 'publish' }))
