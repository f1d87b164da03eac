import type { EntityKind } from '../domain/entity.ts'

export type FeedStatus = 'observed' | 'safe' | 'finalized' | 'removed'
export type FeedEventType = `${EntityKind}_added`

/** Raise when a change of the projector makes its items mean something else. */
export const PROJECTOR_VERSION = 1

/** Heights up to which blocks are safe and final. */
export interface Finality {
  readonly safe: number
  readonly finalized: number
}

export const eventTypeOf = (kind: EntityKind): FeedEventType => `${kind}_added`

/** Names the logical event for ever: no block and no transaction is in it. */
export const feedIdOf = (chainId: number, kind: EntityKind, name: string): string =>
  `${chainId}:${eventTypeOf(kind)}:${name}`

/** Position of an occurrence as text that sorts like the position. */
export const historyCursorOf = (position: {
  readonly blockNumber: number
  readonly txIndex: number
  readonly logIndex: number
}): string =>
  [
    String(position.blockNumber).padStart(15, '0'),
    String(position.txIndex).padStart(8, '0'),
    String(position.logIndex).padStart(8, '0'),
  ].join('-')

/** Block of a cursor; undefined for text that is none. */
export const blockOfCursor = (historyCursor: string): number | undefined => {
  const digits = /^(\d{15})-\d{8}-\d{8}$/.exec(historyCursor)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

export const statusOf = (blockNumber: number, { safe, finalized }: Finality): FeedStatus => {
  if (blockNumber <= finalized) return 'finalized'
  return blockNumber <= safe ? 'safe' : 'observed'
}
