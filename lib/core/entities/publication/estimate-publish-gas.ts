import { size } from 'viem'
import { encodePublish, NO_METADATA } from '#lib/chain/publication-calldata.ts'
import type { Artifact } from '#lib/protocol/artifact.ts'
import { encodeConnectorCode } from '#lib/protocol/connector-code.ts'
import type { Address, Hex } from '#lib/protocol/entity.ts'
import { encodePayload } from '#lib/protocol/payload.ts'

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

/** Calldata of the transaction that publishes an artifact, as long as the real one will be. */
export function publishCalldata(artifact: Artifact, owner: Address, metadata: Hex = NO_METADATA): Hex {
  return encodePublish({
    kind: artifact.kind,
    name: artifact.name,
    owner,
    contentHash: artifact.contentHash,
    nonce: 1n,
    deadline: 2n ** 31n,
    payload: encodePayload(artifact),
    metadata,
  })
}

/**
 * Estimates the gas of the transaction that publishes an artifact, also before its dependencies are published, when no
 * dry run is possible.
 *
 * @param calldata As `publishCalldata` returns it.
 * @param first Whether it would be the owner's first publication.
 */
export function estimatePublishGas(artifact: Artifact, calldata: Hex, first: boolean): bigint {
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

const TOKEN_GAS = 4n

/** Returns the intrinsic gas of a transaction with this calldata. */
export function intrinsicGas(data: Hex): bigint {
  return 21_000n + TOKEN_GAS * calldataTokens(data)
}

/** Counts calldata as EIP-7623 does: a zero byte is one token, any other four. */
export function calldataTokens(data: Hex): bigint {
  let tokens = 0
  for (let at = 2; at < data.length; at += 2) tokens += data.startsWith('00', at) ? 1 : 4
  return BigInt(tokens)
}
