import type { StreamDelta } from '../../../feed/outbox-reader.ts'
import type { FeedReplay } from '../../../feed/stream.ts'

/*
 * Encodes the events of the feed's stream. Streams share the batches of live deltas, so each batch is encoded once for
 * all of them.
 */

const utf8 = new TextEncoder()
const encoded = new WeakMap<readonly StreamDelta[], Uint8Array>()

export const KEEPALIVE = utf8.encode(commentFrame('keepalive'))

/** The comment with the oldest number, the replayed deltas, and the one `stream_meta`. */
export function openingFrames(replay: FeedReplay, requestedSinceSeq: bigint): Uint8Array {
  const deltas = replay.deltas.map(deltaFrame).join('')
  // The requested number is written by hand: it is exact beyond 2^53 too.
  const meta = [
    `"has_more":${replay.hasMore}`,
    `"last_seq":${replay.lastSeq}`,
    `"requested_since_seq":${requestedSinceSeq}`,
    `"min_available_seq":${replay.minAvailableSeq}`,
    `"replay_floor_seq":${replay.replayFloorSeq}`,
    `"stale_since_seq":${replay.stale}`,
  ]
  return utf8.encode(
    commentFrame(`min_available_seq=${replay.minAvailableSeq}`) +
      deltas +
      eventFrame({ event: 'stream_meta', data: `{${meta.join(',')}}` }),
  )
}

export function deltaFrames(batch: readonly StreamDelta[]): Uint8Array {
  let bytes = encoded.get(batch)
  if (bytes === undefined) {
    bytes = utf8.encode(batch.map(deltaFrame).join(''))
    encoded.set(batch, bytes)
  }
  return bytes
}

function deltaFrame(delta: StreamDelta): string {
  const data = {
    stream_seq: delta.streamSeq,
    event_type: delta.eventType,
    status: delta.status,
    feed_id: delta.feedId,
    history_cursor: delta.historyCursor,
    created_at_ms: delta.createdAtMs,
    payload: { type: delta.kind, name: delta.name, owner: delta.owner },
  }
  return eventFrame({ id: delta.streamSeq, event: delta.eventType, data: JSON.stringify(data) })
}

/** A server-sent event: one space after a field's name, data on one line, a blank line after each frame. */
interface EventFrame {
  /** What a client sends back as `Last-Event-ID`; a frame without one leaves the client's as it is. */
  readonly id?: number
  readonly event: string
  /** JSON. */
  readonly data: string
}

function eventFrame({ id, event, data }: EventFrame): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`
}

function commentFrame(text: string): string {
  return `: ${text}\n\n`
}
