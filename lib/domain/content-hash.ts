import { encodeAbiParameters, keccak256, stringToHex } from 'viem/utils'
import { type Hash, type Hex, KIND_CODE } from './entity.ts'

/**
 * Hash of everything a transformation or condition is: `keccak256(abi.encode(uint8 kind, string name, uint32
 * argsCount, keccak256(runtime)))`. The registry computes the same and refuses a publication that claims another.
 */
export function codeContentHash(
  kind: 'transformation' | 'condition',
  name: string,
  argsCount: number,
  runtime: Hex,
): Hash {
  return keccak256(
    encodeAbiParameters(
      [{ type: 'uint8' }, { type: 'string' }, { type: 'uint32' }, { type: 'bytes32' }],
      [KIND_CODE[kind], name, argsCount, keccak256(runtime)],
    ),
  )
}

/**
 * Hash of everything a connector is, down to the last byte of what it depends on: `keccak256(abi.encode(uint8 0,
 * string name, keccak256(payload), bytes32[] dependencyHashes))`.
 *
 * @param dependencyHashes Content hashes in the order of `references`, repeats included.
 */
export function connectorContentHash(
  name: string,
  payloadHash: Hash,
  dependencyHashes: readonly Hash[],
): Hash {
  return keccak256(
    encodeAbiParameters(
      [{ type: 'uint8' }, { type: 'string' }, { type: 'bytes32' }, { type: 'bytes32[]' }],
      [KIND_CODE.connector, name, payloadHash, dependencyHashes],
    ),
  )
}

/** What the public description of an entity says. Artifacts have this shape. */
export type Described =
  | { readonly kind: 'transformation' | 'condition'; readonly name: string; readonly argsCount: number }
  | {
      readonly kind: 'connector'
      readonly name: string
      readonly formatHash: Hash
      readonly leafCount: number
    }

/**
 * `keccak256` of the entity's public description: UTF-8 JSON, keys in this order, no blanks.
 *
 * @example `{"kind":"transformation","name":"Plus","args_count":1}`
 * @example `{"kind":"connector","name":"Pitch","format_hash":"0b19…edb34","scalars_count":1}`
 */
export function metadataHash(entity: Described): Hash {
  const { kind, name } = entity
  const description =
    entity.kind === 'connector'
      ? { kind, name, format_hash: entity.formatHash.slice(2), scalars_count: entity.leafCount }
      : { kind, name, args_count: entity.argsCount }
  return keccak256(stringToHex(JSON.stringify(description)))
}
