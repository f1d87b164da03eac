'use client'

import { useEffect, useRef, useState } from 'react'
import type { WorldMessage } from '../../world-sdk/host.ts'
import { MESSAGE } from '../../world-sdk/protocol.ts'

export interface HeardMessage {
  readonly id: number
  /** Since listening began. */
  readonly ms: number
  readonly message: WorldMessage
}

export const MOST_HEARD = 200

/** Often enough for eyes; a World that talks fast costs no more than one that does not. */
const SHOW_MS = 150

/** The last messages between a page and its World, the newest first. */
export function useMessages() {
  const [messages, setMessages] = useState<readonly HeardMessage[]>([])
  const [paused, setPaused] = useState(false)
  const fresh = useRef<HeardMessage[]>([])
  const began = useRef<number | undefined>(undefined)
  const count = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const show = () => {
    timer.current = undefined
    const some = fresh.current.splice(0).reverse()
    setMessages((shown) => [...some, ...shown].slice(0, MOST_HEARD))
  }
  return {
    messages,
    paused,
    setPaused,
    clear: () => {
      fresh.current = []
      setMessages([])
    },
    hear: (message: WorldMessage) => {
      if (paused) return
      const now = performance.now()
      began.current ??= now
      count.current += 1
      fresh.current.push({ id: count.current, ms: now - began.current, message })
      if (fresh.current.length > MOST_HEARD) fresh.current.shift()
      timer.current ??= setTimeout(show, SHOW_MS)
    },
  }
}

const TYPES: ReadonlyMap<string, string> = new Map([
  [MESSAGE.ready, 'is ready'],
  [MESSAGE.rendered, 'has drawn'],
  [MESSAGE.error, 'reports a problem'],
  [MESSAGE.state, 'state'],
  [MESSAGE.request, 'asks'],
  [MESSAGE.response, 'answers'],
])

const MAX_SUMMARY = 120

/** A message in a line. Its fields are whatever a stranger sent. */
export function summaryOf({ type, fields }: WorldMessage): string {
  const words = TYPES.get(type) ?? type
  return `${words}${detailOf(type, fields)}`.slice(0, MAX_SUMMARY)
}

function detailOf(type: string, fields: Readonly<Record<string, unknown>>): string {
  const id = typeof fields.requestId === 'string' ? ` (${fields.requestId.slice(0, 40)})` : ''
  if (type === MESSAGE.state) {
    const { connectorName, particlesCount } = (fields.payload ?? {}) as Record<string, unknown>
    return `: ${wordOf(connectorName ?? 'nothing')}, ${wordOf(particlesCount ?? 0)} steps${id}`
  }
  if (type === MESSAGE.request) return ` for ${wordOf(fields.method)}${id}`
  if (type === MESSAGE.response) {
    const error = fields.error as { readonly code?: unknown } | undefined
    return fields.ok === true ? `${id}` : ` with ${wordOf(error?.code)}${id}`
  }
  return type === MESSAGE.error ? `: ${wordOf(fields.message)}` : id
}

/** What is no word may have a `toString` that is no function. */
function wordOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

/** All fields of a message, which may go round in circles: what browsers carry from frame to frame is more than JSON. */
export function fieldsAsText(fields: WorldMessage['fields']): string {
  try {
    return JSON.stringify(fields, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value), 2)
  } catch {
    return 'These fields cannot be written as JSON.'
  }
}
