import type { EntityKind } from '#lib/protocol/entity.ts'

export type FeedStatus = 'observed' | 'safe' | 'finalized' | 'removed'
export type FeedEventType = `${EntityKind}_added`

/** Increment when a change of the projector changes the meaning of its items. */
export const PROJECTOR_VERSION = 1

/** Heights of the newest safe and final blocks. */
export interface Finality {
  readonly safe: number
  readonly finalized: number
}

export function eventTypeOf(kind: EntityKind): FeedEventType {
  return `${kind}_added`
}

/** Permanent id of the logical event: independent of block and transaction. */
export function feedIdOf(chainId: number, kind: EntityKind, name: string): string {
  return `${chainId}:${eventTypeOf(kind)}:${name}`
}

/** Position on chain as text that sorts like the position. */
export function historyCursorOf(position: {
  readonly blockNumber: number
  readonly txIndex: number
  readonly logIndex: number
}): string {
  return [
    String(position.blockNumber).padStart(15, '0'),
    String(position.txIndex).padStart(8, '0'),
    String(position.logIndex).padStart(8, '0'),
  ].join('-')
}

/** Block number of a cursor; undefined for other text. */
export function blockOfCursor(historyCursor: string): number | undefined {
  const digits = /^(\d{15})-\d{8}-\d{8}$/.exec(historyCursor)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

export function statusOf(blockNumber: number, { safe, finalized }: Finality): FeedStatus {
  if (blockNumber <= finalized) return 'finalized'
  return blockNumber <= safe ? 'safe' : 'observed'
}

/** PostgreSQL channel that wakes readers of the outbox. Only a hint: delivery is by reading the outbox. */
export const FEED_CHANNEL = 'weft_feed'
