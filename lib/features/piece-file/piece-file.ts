import { hash } from 'node:crypto'
import { hexToBytes, keccak256 } from 'viem/utils'
import { mediaType } from '#lib/compute/bundle/mime.ts'
import type { Context } from '#lib/core/context/context.ts'
import { verifiedChain } from '#lib/core/context/verified-chain.ts'
import { connectorFormat } from '#lib/core/entities/connector-facts.ts'
import { findEntityPublication } from '#lib/core/entities/find-publication.ts'
import { entityNotFound } from '#lib/core/entities/get-entity.ts'
import { artifactBytes, artifactClosure } from '#lib/core/entities/load-artifacts.ts'
import { findConnector, simulateOrReject } from '#lib/core/entities/simulate.ts'
import { bundleFiles } from '#lib/core/worlds/bundle-download.ts'
import { builtModule } from '#lib/core/worlds/sdk/built-module.ts'
import { type FoundVersion, findVersion } from '#lib/core/worlds/world-versions.ts'
import { encodeParticles } from '#lib/engine/recheck.ts'
import { ByteLru } from '#lib/platform/cache/byte-lru.ts'
import type { Artifact } from '#lib/protocol/artifact.ts'
import { parseAuthorMetadata } from '#lib/protocol/author-metadata.ts'
import { chainFacts } from '#lib/protocol/chains.ts'
import { traitsOf } from '#lib/protocol/code-traits.ts'
import { encodeConnectorCode } from '#lib/protocol/connector-code.ts'
import { contentId } from '#lib/protocol/content-id.ts'
import { type Address, type EntityKind, type Hash, type Hex, KIND_CODE } from '#lib/protocol/entity.ts'
import { entityAddress } from '#lib/protocol/entity-address.ts'
import { Failure } from '#lib/protocol/failure.ts'
import type { WorldNeeds } from '#lib/protocol/world-compatibility.ts'
import { boundSet, othersOf, primaryOf, type SlotChoice } from '#lib/protocol/world-slots.ts'
import type { EntityCodes, MissingWorld, PieceAnswer, PieceData, WorldData, WorldFileData } from './data.ts'
import { writePieceFile } from './write-file.ts'

/** The trees together, a World and a run that a file takes. */
const PARTS = { artifacts: 256, bytes: 1024 * 1024 }
const MAX_WORLD_BYTES = 4 * 1024 * 1024
const MAX_VALUES = 1024 * 1024

/** Steps of a piece whose author said none. */
const DEFAULT_STEPS = 64

/** A piece as one file. */
export interface PieceFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** CIDv1, as `ipfs add --cid-version 1` prints it. */
  readonly id: string
}

const files = new ByteLru<string, PieceFile>(32 * 1024 * 1024)

/**
 * A published connector as one HTML file that plays it without any site. The same chain and the same release give the same
 * bytes on every site that has the World.
 *
 * @throws Failure('not_found') for an unknown connector or a draft, Failure('rejected') for one that no file can hold,
 *   Failure('overloaded'), Failure('chain_unavailable').
 */
export async function pieceFile(ctx: Context, name: string): Promise<PieceFile> {
  const root = await findConnector(ctx, name)
  const [publication, words] = await Promise.all([
    findEntityPublication(ctx, 'connector', name),
    publishedWords(ctx, name),
  ])
  if (publication === undefined) throw entityNotFound('connector')
  const chain = await verifiedChain(
    ctx,
    'There are no files of pieces: no chain is configured on this server',
  )
  const { present } = parseAuthorMetadata(words) ?? {}
  const version = present?.world && (await findVersion(ctx, present.world.bundle_hash))
  const slots =
    version?.found === 'version'
      ? await slotConnectors(ctx, name, version.world.manifest, present?.world?.slots)
      : []
  const key = [
    ...[chain.chainId, chain.registry, chain.runner, root, publication.txHash, publication.blockHash],
    ...[hash('sha256', words), version?.found, ...slots],
  ].join(' ')
  const cachedFile = files.get(key)
  if (cachedFile !== undefined) return cachedFile

  const build = async (): Promise<PieceFile> => {
    const artifacts = await artifactClosure(ctx, [root], PARTS)
    requireLasting(artifacts)
    const count = present?.particles ?? DEFAULT_STEPS
    const world = present?.world && (await readWorld(ctx, present.world.bundle_hash, version))
    const { owner, address, contentHash, metadataHash, blockNumber, blockHash, txHash } = publication
    const piece: PieceData = {
      format: 'weft-piece',
      version: 1,
      chain: { id: chain.chainId, name: chainFacts(chain.chainId).name },
      registry: chain.registry,
      runner: chain.runner,
      publication: {
        ...{ author: owner, address, contentHash, metadataHash },
        ...{ block: blockNumber, blockHash, transaction: txHash },
      },
      words: new TextDecoder().decode(words),
      entities: entitiesOf(artifacts, chain.registry),
      count,
      ...(slots.length > 0 && { slots: await slotTrees(ctx, slots, artifacts, chain.registry) }),
      answer: await answerOf(ctx, name, count, artifacts[0]),
      ...(typeof world === 'string' && { missingWorld: world }),
    }
    const text = writePieceFile(piece, typeof world === 'string' ? undefined : world)
    const bytes = new TextEncoder().encode(text)
    return { bytes, id: contentId(bytes) }
  }
  const file = await ctx.places.certificates.run(build, ctx)
  files.set(key, file, file.bytes.byteLength)
  return file
}

/**
 * Hashes of the published connectors that feed slots of a World besides the piece itself, in the order of the slots; a slot
 * whose connector is not published stays empty.
 */
async function slotConnectors(
  ctx: Context,
  name: string,
  needs: WorldNeeds,
  choices: readonly SlotChoice[] = [],
): Promise<readonly Hash[]> {
  const { scalars } = await connectorFormat(ctx, name)
  const hashes: Hash[] = []
  for (const other of othersOf(boundSet(needs, primaryOf({ name, scalars }, needs), choices))) {
    const publication = await findEntityPublication(ctx, 'connector', other)
    if (publication !== undefined) hashes.push(publication.contentHash)
  }
  return hashes
}

/**
 * The trees of connectors that feed slots, in the room that the piece leaves; without those that no file can hold.
 *
 * @param own Artifacts of the piece.
 */
async function slotTrees(
  ctx: Context,
  roots: readonly Hash[],
  own: readonly Artifact[],
  registry: Address,
): Promise<readonly EntityCodes[]> {
  const trees: EntityCodes[] = []
  const fileArtifacts = [...own]
  for (const root of roots) {
    try {
      const artifacts = await artifactClosure(ctx, [root], roomBeside(fileArtifacts))
      requireLasting(artifacts)
      fileArtifacts.push(...artifacts)
      trees.push(entitiesOf(artifacts, registry))
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'rejected')) throw error
    }
  }
  return trees
}

/** Parts that a file takes besides others. */
function roomBeside(artifacts: readonly Artifact[]): typeof PARTS {
  const bytes = artifacts.reduce((sum, artifact) => sum + artifactBytes(artifact), 0)
  return { artifacts: PARTS.artifacts - artifacts.length, bytes: PARTS.bytes - bytes }
}

/** The author's words as published; empty where there are none, or none in the format. */
async function publishedWords({ db }: Pick<Context, 'db'>, name: string): Promise<Uint8Array> {
  const [row] = await db.sql<{ metadata: Buffer | null }[]>`
    select metadata from entities where kind = 'connector' and name = ${name}`
  const words = row?.metadata ?? NO_WORDS
  return parseAuthorMetadata(words) === undefined ? NO_WORDS : words
}

const NO_WORDS = new Uint8Array(0)

/** @throws Failure('rejected') for code whose values are others in another block. */
function requireLasting(artifacts: readonly Artifact[]): void {
  const { dependsOn, reads } = traitsOf(artifacts)
  if (dependsOn === 'input') return
  throw new Failure(
    'rejected',
    `No file can hold this piece: its code reads the chain as it is at the moment (${reads.join(', ')})`,
  )
}

/** The tree with the code at each address, which follows from the artifacts. */
function entitiesOf(artifacts: readonly Artifact[], registry: Address): EntityCodes {
  const byKey = new Map(artifacts.map((artifact) => [`${artifact.kind}/${artifact.name}`, artifact]))
  const codes = new Map<Artifact, { readonly code: Hex; readonly address: Address }>()
  const codeOf = (artifact: Artifact): Hex =>
    artifact.kind === 'connector'
      ? encodeConnectorCode(
          artifact.definition,
          (kind, name) => addressOf(kind, name),
          artifact.leafCount,
          artifact.depth,
        )
      : artifact.runtime
  const published = (artifact: Artifact) => {
    const entry = codes.get(artifact)
    if (entry !== undefined) return entry
    const code = codeOf(artifact)
    const address = entityAddress(registry, KIND_CODE[artifact.kind], artifact.name, hexToBytes(code))
    codes.set(artifact, { code, address })
    return { code, address }
  }
  const addressOf = (kind: EntityKind, name: string): Address => {
    const artifact = byKey.get(`${kind}/${name}`)
    if (artifact === undefined) throw new Error(`The tree lacks ${kind} ${name}`)
    return published(artifact).address
  }
  return artifacts.map((artifact) => [artifact.kind, artifact.name, published(artifact).code])
}

/** Hash of what the Runner returns for the run as published. */
async function answerOf(
  ctx: Context,
  connectorName: string,
  particlesCount: number,
  root: Artifact | undefined,
): Promise<PieceAnswer> {
  const leaves = root?.kind === 'connector' ? root.leafCount : 1
  if (leaves * particlesCount > MAX_VALUES) return { outcome: 'unknown' }
  try {
    const result = await simulateOrReject(ctx, { connectorName, particlesCount, dynamicRi: [] }, leaves)
    return result.ok
      ? { outcome: 'particles', hash: keccak256(encodeParticles(result.particles)) }
      : { outcome: 'reverted', reason: result.rejection.message }
  } catch (error) {
    // It takes more work than this server does.
    if (error instanceof Failure && error.code === 'rejected') return { outcome: 'unknown' }
    throw error
  }
}

/** The World in the version that a piece names, or why no file has it. */
async function readWorld(
  ctx: Context,
  bundleHash: string,
  version: FoundVersion | undefined,
): Promise<WorldData | MissingWorld> {
  if (version?.found === 'deleted') return 'deleted'
  if (version?.found !== 'version') return 'unknown'
  const { name, entry, permissions, valueLimits, acceptedConnectorSets, acceptedFormatHashes } =
    version.world.manifest
  try {
    const files = await readFiles(ctx, bundleHash)
    if (files === undefined) return 'too_large'
    return {
      ...{ name, bundleHash, entry, permissions, valueLimits, acceptedConnectorSets, acceptedFormatHashes },
      runtime: (await builtModule('world-runtime.js'))?.text ?? '',
      files,
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'gone') return 'deleted'
    if (error.code === 'not_found') return 'unknown'
    throw error
  }
}

/** @returns undefined for a bundle that is larger than a file takes. */
async function readFiles(ctx: Context, bundleHash: string): Promise<WorldFileData[] | undefined> {
  const stored = await bundleFiles(ctx, bundleHash)
  if (stored.reduce((sum, { size }) => sum + size, 0) > MAX_WORLD_BYTES) return undefined
  const read: WorldFileData[] = []
  for (const { name, chunks } of stored) {
    const parts: Uint8Array[] = []
    for await (const chunk of chunks()) parts.push(chunk)
    const bytes = Buffer.concat(parts)
    const text = bytes.toString('utf8')
    const type = mediaType(name) ?? 'application/octet-stream'
    const content = Buffer.from(text).equals(bytes) ? { text } : { base64: bytes.toString('base64') }
    read.push({ path: name, type, ...content })
  }
  return read
}
