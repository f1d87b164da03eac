import type { Address, EntityKind, Hex } from '#lib/protocol/entity.ts'
import type { ConnectorSketch } from '#test/support/definitions.ts'
import type { Random } from '../simulation/random.ts'
import type { Content } from './publications.ts'

/** A transaction of a block; the sender's signature is not needed on this chain. */
export interface Transaction {
  readonly from: Address
  /** Undefined to create a contract. */
  readonly to: Address | undefined
  readonly data: Hex
  readonly gas?: number
  /** Publishes something honest, which must not be lost. */
  readonly honest?: boolean
  /** Code that is taken away as soon as the transaction is mined, before any worker reads the block. */
  readonly erases?: Address
}

/** Tools of an attack while its transactions are written. */
export interface Scene {
  readonly registry: Address
  readonly runner: Address
  readonly random: Random
  /** An account that published nothing yet. */
  account(): Address
  /** A contract that publishes what its calldata holds; see `carrierCode`. */
  carrier(): Promise<Address>
  /** Puts code at a new address, as an earlier transaction would have. */
  contract(code: Hex): Promise<Address>
  /** Address of the contract that the first transaction of an account creates. */
  created(account: Address): Address
  /** A name that is not taken. */
  name(prefix: string, length?: number): string
  /** Where the registry would put an entity; the zero address for what it refuses. */
  addressOf(content: Content): Promise<Address>
  lookup(kind: EntityKind, name: string): Content | undefined
  /** Published earlier, or to be published in this block before; at most `most`, chosen at random. */
  known(kind: EntityKind, most?: number): readonly Content[]
  /** Honest publications that are in the same block. */
  readonly pending: readonly { readonly kind: EntityKind; readonly name: string }[]
  /** Notes what a transaction is about to publish, so that others can use it. */
  publishes<C extends Content>(content: C): C
  connector(sketch: ConnectorSketch): Content
  /** Publishes from a new account, by a call of the registry that it sends itself. */
  direct(content: Content, owner?: Address): Transaction
  /** Compiles a body through the API and prepares its publication there; undefined when the API refuses (4xx). */
  prepared(kind: 'transformation' | 'condition', name: string, body: string): Promise<Transaction | undefined>
  /** The same for a connector. */
  preparedConnector(sketch: ConnectorSketch): Promise<Transaction | undefined>
}

export type Parameters = Readonly<Record<string, number>>

/** Hostile behaviour: its parameters are drawn within bounds, and shrink towards the lower ones. */
export interface Attack {
  readonly name: string
  /** Weight of the draw, 1 by default. */
  readonly weight?: number
  /** Takes much time on any machine: at most one in a round. */
  readonly heavy?: boolean
  /** Whole numbers, both ends included. */
  readonly parameters: Readonly<Record<string, readonly [least: number, most: number]>>
  build(scene: Scene, parameters: Parameters): Promise<readonly Transaction[]> | readonly Transaction[]
}

/** One number among choices, for parameters that stand for a kind of thing. */
export function choice<T>(choices: readonly T[], index: number | undefined): T {
  return choices[(index ?? 0) % choices.length] as T
}
