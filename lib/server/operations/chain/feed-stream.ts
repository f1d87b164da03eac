import { z } from 'zod'
import { usedFilter } from '#lib/core/feed/filter.ts'
import { deltaWire, type StreamDelta } from '#lib/core/feed/outbox-reader.ts'
import { type FeedStream, openFeedStream } from '#lib/core/feed/stream.ts'
import { parsedText } from '../../http/inputs.ts'
import { defineOperation } from '../../http/operation.ts'
import { feedFilterQuery } from './request-schemas.ts'

const INT64_MAX = 2n ** 63n - 1n

const sinceSeq = parsedText(parseSeq, `an integer from 0 to ${INT64_MAX}`).meta({
  description: 'Deltas after this number, or after `Last-Event-ID` where that is larger; without either, 0.',
  override: { type: 'integer', format: 'int64', minimum: 0 },
  example: 0,
})

const replayLimit = parsedText((text) => {
  const limit = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0
  return limit >= 1 && limit <= 2048 ? limit : undefined
}, 'an integer from 1 to 2048').meta({
  description: 'Largest number of replayed deltas; 200 by default.',
  override: { type: 'integer', format: 'int32', minimum: 1, maximum: 2048, default: 200 },
  example: 200,
})

export const getFeedStream = defineOperation({
  id: 'GET_feedStream',
  api: 'chain',
  path: '/feed/stream',
  tag: 'feed',
  summary: 'Follow the feed',
  description: [
    'Server-sent events: a comment `min_available_seq=<n>`; the deltas after `since_seq`, at most `limit`; one event',
    '`stream_meta` that describes this replay; then every further delta as it happens, and a comment now and then.',
    'A delta has its number as `id` and its feed event type as `event`; its data has `stream_seq`, `event_type`,',
    '`status` (`removed` after a reorganisation), `feed_id`, `history_cursor`, `created_at_ms` and',
    '`payload`. Numbers rise without gaps. Reconnect with the last one as `since_seq` or `Last-Event-ID`, of which the',
    'larger counts: nothing is lost and nothing is repeated, unless `stale_since_seq` reports that deltas in between are',
    'no longer stored, or that the number is of another history, as after a restored database: begin anew. With',
    '`has_more`, the rest follows at once. A reader that falls far behind is disconnected and may resume.',
    '`kind`, `owner`, `format` and `name` select deltas; all that are given must fit. Numbers of such a stream have gaps,',
    'so it also has events `position`, whose `id` is the number up to which nothing else fits: a reader resumes there.',
  ].join(' '),
  auth: 'none',
  request: {
    query: z.object({ since_seq: sinceSeq.optional(), limit: replayLimit.optional(), ...feedFilterQuery }),
    headers: z.object({
      'last-event-id': z.string().optional().meta({
        description:
          'The last number received; an `EventSource` sends it automatically. Invalid values are ignored.',
        example: '1207',
      }),
    }),
  },
  responses: { 200: { description: 'The stream', contentType: 'text/event-stream' } },
  failures: {
    400: 'Invalid since_seq, limit or filter',
    429: 'As many streams as one client address may have are open',
  },
  // A proxy that compresses or buffers would hold events back.
  cache: 'no-store, no-transform',
  handler: async (ctx, { query, headers }) => {
    const since = later(query.since_seq, parseSeq(headers['last-event-id']?.trim() ?? ''))
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined
    const filter = usedFilter(query)
    const stream = await openFeedStream(ctx, { sinceSeq: since, limit: query.limit ?? 200, filter }, () =>
      controller?.error(new DOMException('The reader is too far behind', 'AbortError')),
    )
    const opened: OpenedStream = { stream, filtered: filter !== undefined, sentId: 0 }
    ctx.signal.addEventListener('abort', () => stream.close(), { once: true })
    if (ctx.signal.aborted) stream.close()
    const body = new ReadableStream<Uint8Array>({
      start(own) {
        controller = own
        own.enqueue(openingFrames(opened, since))
      },
      pull: (own) => forward(opened, own),
      cancel: () => stream.close(),
    })
    return { status: 200, headers: { 'X-Accel-Buffering': 'no' }, body }
  },
})

interface OpenedStream {
  readonly stream: FeedStream
  readonly filtered: boolean
  /** Last number that was sent. */
  sentId: number
}

/** Enqueues the next batch; called only when the client has read the one before. */
async function forward(
  opened: OpenedStream,
  controller: ReadableStreamDefaultController<Uint8Array>,
): Promise<void> {
  const batch = await opened.stream.next()
  try {
    if (batch === undefined) controller.close()
    else if (batch.length === 0) controller.enqueue(utf8.encode(positionFrame(opened) || KEEPALIVE))
    else {
      opened.sentId = (batch.at(-1) as StreamDelta).streamSeq
      controller.enqueue(utf8.encode(batch.map(deltaFrame).join('')))
    }
  } catch {
    // The client left, or was disconnected, meanwhile.
  }
}

/** An `EventSource` repeats the address of its stream after a cut, with the `since_seq` it began with. */
function later(sinceSeq = 0n, lastEventId = 0n): bigint {
  return lastEventId > sinceSeq ? lastEventId : sinceSeq
}

function parseSeq(text: string): bigint | undefined {
  const seq = /^(0|[1-9]\d{0,18})$/.test(text) ? BigInt(text) : undefined
  return seq !== undefined && seq <= INT64_MAX ? seq : undefined
}

const utf8 = new TextEncoder()
/** Frames of live deltas, which all streams share: each is written once for all of them. */
const frames = new WeakMap<StreamDelta, string>()

const KEEPALIVE = commentFrame('keepalive')

/** The comment with the oldest number, the replayed deltas, the one `stream_meta`, and the position of a filtered stream. */
function openingFrames(opened: OpenedStream, requestedSinceSeq: bigint): Uint8Array {
  const { replay } = opened.stream
  opened.sentId = replay.lastSeq ?? 0
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
      eventFrame({ event: 'stream_meta', data: `{${meta.join(',')}}` }) +
      positionFrame(opened),
  )
}

/** The event `position` of a filtered stream that is beyond the last number sent; else empty. */
function positionFrame(opened: OpenedStream): string {
  const position = opened.stream.position()
  if (!opened.filtered || position <= opened.sentId) return ''
  opened.sentId = position
  return eventFrame({ id: position, event: 'position', data: `{"stream_seq":${position}}` })
}

function deltaFrame(delta: StreamDelta): string {
  const frame =
    frames.get(delta) ??
    eventFrame({ id: delta.streamSeq, event: delta.eventType, data: JSON.stringify(deltaWire(delta)) })
  frames.set(delta, frame)
  return frame
}

/** A server-sent event: one space after a field's name, data on one line, a blank line after each frame. */
interface EventFrame {
  /** Position that a client sends back as `Last-Event-ID`; a frame without one leaves the client's as it is. */
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
