import { encodeAbiParameters, keccak256 } from 'viem/utils'
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
