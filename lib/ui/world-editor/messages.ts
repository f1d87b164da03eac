'use client'

import { useEffect, useRef, useState } from 'react'
import type { WorldMessage } from '#lib/core/worlds/sdk/host.ts'
import { MESSAGE } from '#lib/core/worlds/sdk/protocol.ts'

export interface RecordedMessage {
  readonly id: number
  /** Since the subscription. */
  readonly ms: number
  readonly message: WorldMessage
}

export const MAX_RECORDED = 200

/** Interval of updates, however fast messages arrive. */
const SHOW_MS = 150

/** The last messages between a page and its World, the newest first. */
export function useMessages() {
  const [messages, setMessages] = useState<readonly RecordedMessage[]>([])
  const [paused, setPaused] = useState(false)
  const fresh = useRef<RecordedMessage[]>([])
  const began = useRef<number | undefined>(undefined)
  const count = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const show = () => {
    timer.current = undefined
    const some = fresh.current.splice(0).reverse()
    setMessages((current) => [...some, ...current].slice(0, MAX_RECORDED))
  }
  return {
    messages,
    paused,
    setPaused,
    clear: () => {
      fresh.current = []
      setMessages([])
    },
    record: (message: WorldMessage) => {
      if (paused) return
      const now = performance.now()
      began.current ??= now
      count.current += 1
      fresh.current.push({ id: count.current, ms: now - began.current, message })
      if (fresh.current.length > MAX_RECORDED) fresh.current.shift()
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
  [MESSAGE.capture, 'asks for a capture'],
  [MESSAGE.captured, 'answers a capture'],
])

const MAX_SUMMARY = 120

/** A one-line summary. The fields are untrusted. */
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

/** Untrusted objects may have a `toString` that is no function. */
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
