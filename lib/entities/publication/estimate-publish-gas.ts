import { size } from 'viem'
import { encodePublish, NO_METADATA } from '../../chain/publication-calldata.ts'
import type { Artifact } from '../../protocol/artifact.ts'
import { encodeConnectorCode } from '../../protocol/connector-code.ts'
import type { Address, Hex } from '../../protocol/entity.ts'
import { encodePayload } from '../../protocol/payload.ts'

/** Gas of a byte of deployed code. */
const CODE_BYTE = 200n
/** Gas of the storage slot of an owner's first nonce. */
const FIRST_PUBLICATION = 17_100n

/*
 * Gas of the registry, measured: `publish` in contracts/gas-snapshot.json less calldata and code. A test compares the
 * estimate with the chain.
 */
const CODE_ENTITY = 114_400n
const CODE_SCAN_BYTE = 18n
const CONNECTOR = 120_500n
const PER_REFERENCE = 3450n
const PER_DEPENDENCY = 4000n
const PER_DIMENSION = 4300n

const SOME_ADDRESS: Address = `0x${'11'.repeat(20)}`

/**
 * Estimates the gas of the transaction that publishes an artifact, also before its dependencies are published, when no
 * dry run is possible.
 *
 * @param first Whether it would be the owner's first publication.
 */
export function estimatePublishGas(
  artifact: Artifact,
  owner: Address,
  first: boolean,
  metadata: Hex = NO_METADATA,
): bigint {
  const calldata = encodePublish({
    kind: artifact.kind,
    name: artifact.name,
    owner,
    contentHash: artifact.contentHash,
    nonce: 1n,
    deadline: 2n ** 31n,
    payload: encodePayload(artifact),
    metadata,
  })
  const code = BigInt(size(codeOf(artifact))) * CODE_BYTE
  return intrinsicGas(calldata) + code + registryWork(artifact) + (first ? FIRST_PUBLICATION : 0n)
}

function codeOf(artifact: Artifact): Hex {
  if (artifact.kind !== 'connector') return artifact.runtime
  return encodeConnectorCode(artifact.definition, () => SOME_ADDRESS, artifact.leafCount, artifact.depth)
}

function registryWork(artifact: Artifact): bigint {
  if (artifact.kind !== 'connector') return CODE_ENTITY + CODE_SCAN_BYTE * BigInt(size(artifact.runtime))
  const { dependencies, definition } = artifact
  const distinct = new Set(dependencies.map(({ kind, name }) => `${kind}/${name}`)).size
  return (
    CONNECTOR +
    PER_REFERENCE * BigInt(dependencies.length) +
    PER_DEPENDENCY * BigInt(distinct) +
    PER_DIMENSION * BigInt(definition.dimensions.length)
  )
}

const BYTE_GAS = { zero: 4n, other: 16n }

/** Returns the intrinsic gas of a transaction with this calldata. */
export function intrinsicGas(data: Hex): bigint {
  let gas = 21_000n
  for (let at = 2; at < data.length; at += 2) {
    gas += data.slice(at, at + 2) === '00' ? BYTE_GAS.zero : BYTE_GAS.other
  }
  return gas
}
