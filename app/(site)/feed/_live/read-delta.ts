import type { EntityKind } from '../../../../lib/domain/entity.ts'
import type { Delta } from './live-state.ts'

/** A delta as `/chain/feed/stream` writes it; its shape is fixed by the API's document. */
interface WireDelta {
  readonly stream_seq: number
  readonly feed_id: string
  readonly status: Delta['status']
  readonly history_cursor: string
  readonly created_at_ms: number
  readonly payload: {
    readonly type: EntityKind
    readonly name: string
    readonly owner: Delta['owner']
  }
}

/** Reads the data of a delta frame. */
export function readDelta(data: string): Delta {
  const { stream_seq, feed_id, status, history_cursor, created_at_ms, payload } = JSON.parse(
    data,
  ) as WireDelta
  return {
    streamSeq: stream_seq,
    feedId: feed_id,
    status,
    historyCursor: history_cursor,
    createdAtMs: created_at_ms,
    kind: payload.type,
    name: payload.name,
    owner: payload.owner,
  }
}
