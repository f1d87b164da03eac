'use client'

import { useSyncExternalStore } from 'react'
import { siteClock } from '#lib/browser/site-clock.ts'
import { exactTime, timeAgo } from './time.ts'

const TICK_MS = 15_000

let now = 0
const readers = new Set<() => void>()
let ticking: ReturnType<typeof setInterval> | undefined

function watch(changed: () => void): () => void {
  readers.add(changed)
  ticking ??= setInterval(() => {
    now = siteClock.now()
    for (const reader of readers) reader()
  }, TICK_MS)
  return () => {
    readers.delete(changed)
    if (readers.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }
}

/** One clock for the whole page, so that a list of times moves together. */
function readClock(): number {
  if (now === 0 || ticking === undefined) now = siteClock.now()
  return now
}

/**
 * Relative time, updated periodically. The exact time replaces it while the nearest `group` is hovered or focused, and
 * is what assistive technology reads.
 *
 * @param ms Unix milliseconds.
 * @param nowMs The server's time, for the first picture; absent where the browser draws that.
 */
export function TimeAgo({ ms, nowMs }: { ms: number; nowMs?: number }) {
  if (nowMs !== undefined) siteClock.noteTime(nowMs)
  const clock = useSyncExternalStore(watch, readClock, () => undefined)
  return (
    <time dateTime={new Date(ms).toISOString()} title={exactTime(ms)} className="whitespace-nowrap">
      <span aria-hidden="true" className="group-focus-within:hidden group-hover:hidden">
        {timeAgo(ms, clock ?? nowMs ?? ms)}
      </span>
      <span className="mono sr-only group-focus-within:not-sr-only group-hover:not-sr-only">
        {exactTime(ms)}
      </span>
    </time>
  )
}
