'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { ENTITY_KINDS } from '../../../../lib/domain/entity.ts'
import { eventTypeOf } from '../../../../lib/feed/items.ts'
import type { Delta } from './live-state.ts'
import { readDelta } from './read-delta.ts'

/** `gap` when the server no longer keeps what happened since the page was made: only a new page can tell. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'offline' | 'gap'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000
/** Browsers open few connections to one site: a tab that nobody sees gives its own back. */
const UNSEEN_MS = 30_000
const REPLAY = 2048

/**
 * Follows the feed's stream from a delta on, for ever: every delta once and in order, over lost connections too.
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
  let seen = since
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
    // The browser's own way of reconnecting asks for what the address says, hence for everything again.
    const source = new EventSource(`/chain/feed/stream?since_seq=${seen}&limit=${REPLAY}`)
    stream = source
    for (const kind of ENTITY_KINDS) {
      source.addEventListener(eventTypeOf(kind), (event: MessageEvent<string>) => {
        const delta = readDelta(event.data)
        if (delta.streamSeq <= seen) return
        seen = delta.streamSeq
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
      timer = setTimeout(open, pause)
      pause = Math.min(LONGEST_PAUSE_MS, pause * 2)
    })
  }
  const onOnline = () => {
    pause = FIRST_PAUSE_MS
    open()
  }
  const onVisibility = () => {
    clearTimeout(unseen)
    if (document.visibilityState === 'hidden') unseen = setTimeout(close, UNSEEN_MS)
    else if (stream === undefined) onOnline()
  }

  open()
  window.addEventListener('online', onOnline)
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    clearTimeout(unseen)
    close()
    window.removeEventListener('online', onOnline)
    document.removeEventListener('visibilitychange', onVisibility)
  }
}
