import type { Address, EntityKind, Hash, Hex } from '#lib/protocol/entity.ts'
import type { WorldLimits } from '#lib/protocol/world-manifest.ts'

/*
 * The data of a file that holds a piece: two JSON texts, apart from the program that plays them. They decide the bytes of
 * the file, with the release that wrote it: nothing of a site, of a database or of a moment is in them.
 */

export type EntityCodes = readonly (readonly [kind: EntityKind, name: string, code: Hex])[]

export interface PieceData {
  readonly format: 'weft-piece'
  readonly version: 1
  readonly chain: { readonly id: number; readonly name?: string | undefined }
  readonly registry: Address
  readonly runner: Address
  /** Where the connector was published. */
  readonly publication: {
    readonly author: Address
    readonly address: Address
    readonly contentHash: Hash
    readonly metadataHash: Hash
    readonly block: number
    readonly blockHash: Hash
    readonly transaction: Hash
  }
  /** The author's words as published; empty where there are none. */
  readonly words: string
  /** The whole tree, the connector first: each with the code at its address. */
  readonly entities: EntityCodes
  /** Trees of the other connectors that feed slots of the World, each with its connector first. */
  readonly slots?: readonly EntityCodes[] | undefined
  /** Steps of the run. */
  readonly count: number
  /** Result of the run as published. */
  readonly answer: PieceAnswer
  /** Why the World that the words name is not in the file. */
  readonly missingWorld?: MissingWorld | undefined
}

export type PieceAnswer =
  /** keccak256 of what `Runner.generate` returns. */
  | { readonly outcome: 'particles'; readonly hash: Hash }
  | { readonly outcome: 'reverted'; readonly reason: string }
  /** More values than a server computes for a file. */
  | { readonly outcome: 'unknown' }

export type MissingWorld = 'deleted' | 'unknown' | 'too_large'

/** A World: its bundle as uploaded, and the module of the SDK that it imports. */
export interface WorldData {
  readonly name: string
  readonly bundleHash: string
  /** Path of its page. */
  readonly entry: string
  readonly permissions: readonly string[]
  readonly valueLimits?: WorldLimits | undefined
  readonly acceptedConnectorSets: readonly {
    readonly connectors: readonly string[]
    readonly optionalConnectors: readonly string[]
  }[]
  readonly acceptedFormatHashes: readonly string[]
  readonly runtime: string
  /** In the order of the listing that the bundle's hash is of. */
  readonly files: readonly WorldFileData[]
}

export interface WorldFileData {
  readonly path: string
  /** Media type. */
  readonly type: string
  /** UTF-8, where its bytes are exactly that. */
  readonly text?: string | undefined
  readonly base64?: string | undefined
}
