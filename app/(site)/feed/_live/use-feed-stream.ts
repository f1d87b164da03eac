'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { eventTypeOf } from '#lib/core/feed/items.ts'
import { ENTITY_KINDS, type EntityKind } from '#lib/protocol/entity.ts'
import type { Delta } from './live-state.ts'

/** `gap`: the server no longer has the deltas since the page was rendered, which must be reloaded. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'offline' | 'gap'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000
/** Browsers open few connections to one site: hidden tabs close theirs. */
const UNSEEN_MS = 3_000
const REPLAY = 2048

/**
 * Subscribes to the feed's stream from a delta on: each delta once and in order, across reconnections.
 *
 * @param since Number of the last delta that the page knows.
 */
export function useFeedStream(since: number, onDelta: (delta: Delta) => void): Connection {
  const [connection, setConnection] = useState<Connection>('connecting')
  const deliver = useEffectEvent(onDelta)
  useEffect(() => followStream(since, deliver, setConnection), [since])
  return connection
}

function followStream(
  since: number,
  deliver: (delta: Delta) => void,
  say: (connection: Connection) => void,
): () => void {
  let cursor = since
  let stream: EventSource | undefined
  let pause = FIRST_PAUSE_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  let unseen: ReturnType<typeof setTimeout> | undefined

  const close = () => {
    clearTimeout(timer)
    stream?.close()
    stream = undefined
  }
  const open = () => {
    close()
    // The browser's own reconnection would repeat the original position.
    const source = new EventSource(`/chain/feed/stream?since_seq=${cursor}&limit=${REPLAY}`)
    stream = source
    for (const kind of ENTITY_KINDS) {
      source.addEventListener(eventTypeOf(kind), (event: MessageEvent<string>) => {
        const delta = readDelta(event.data)
        if (delta.streamSeq <= cursor) return
        cursor = delta.streamSeq
        deliver(delta)
      })
    }
    source.addEventListener('stream_meta', (event: MessageEvent<string>) => {
      pause = FIRST_PAUSE_MS
      const { stale_since_seq } = JSON.parse(event.data) as { stale_since_seq: boolean }
      if (!stale_since_seq) return say('live')
      close()
      say('gap')
    })
    source.addEventListener('error', () => {
      if (stream !== source) return
      close()
      say(navigator.onLine ? 'reconnecting' : 'offline')
      timer = setTimeout(() => document.visibilityState === 'visible' && open(), pause)
      pause = Math.min(LONGEST_PAUSE_MS, pause * 2)
    })
  }
  const onOnline = () => {
    pause = FIRST_PAUSE_MS
    if (document.visibilityState === 'visible') open()
  }
  const onVisibility = () => {
    clearTimeout(unseen)
    if (document.visibilityState === 'hidden') unseen = setTimeout(close, UNSEEN_MS)
    else if (stream === undefined) onOnline()
  }

  // One that was opened in the background waits until it is seen.
  if (document.visibilityState === 'visible') open()
  window.addEventListener('online', onOnline)
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    clearTimeout(unseen)
    close()
    window.removeEventListener('online', onOnline)
    document.removeEventListener('visibilitychange', onVisibility)
  }
}

/** A delta of `/chain/feed/stream`. */
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

/** Parses the data of a delta frame. */
function readDelta(data: string): Delta {
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
