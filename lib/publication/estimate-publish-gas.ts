import { size } from 'viem'
import { encodePublish, NO_METADATA } from '../chain/publication-calldata.ts'
import type { Artifact } from '../domain/artifact.ts'
import { encodeConnectorCode } from '../domain/connector-code.ts'
import type { Address, Hex } from '../domain/entity.ts'
import { encodePayload } from '../domain/payload.ts'
import { intrinsicGas } from './intrinsic-gas.ts'

/** What a byte of code costs to put on chain. */
const CODE_BYTE = 200n
/** An account that publishes for the first time pays for its nonce's slot. */
const FIRST_PUBLICATION = 17_100n

/*
 * What the registry itself does, by measurement: `publish` in contracts/gas-snapshot.json less calldata and code. A
 * test holds the estimate to the chain.
 */
const CODE_ENTITY = 114_400n
const CODE_SCAN_BYTE = 18n
const CONNECTOR = 120_500n
const PER_REFERENCE = 3450n
const PER_DEPENDENCY = 4000n
const PER_DIMENSION = 4300n

const SOME_ADDRESS: Address = `0x${'11'.repeat(20)}`

/**
 * About what the transaction that publishes an artifact will cost, also while its dependencies are not published yet
 * and nobody can dry-run it.
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
