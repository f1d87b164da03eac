'use client'

import { useEffect, useState } from 'react'
import { PreviewFailed, requestTry, type TryAnswer } from '../preview/client.ts'
import type { CodeKind } from './frame.ts'

export type TryState =
  | { readonly status: 'idle' }
  | { readonly status: 'running' }
  /** `x` is what this answer began with, also while the next is awaited. */
  | { readonly status: 'ran'; readonly x: number; readonly answer: TryAnswer }
  | { readonly status: 'failed'; readonly reason: string }

export interface TryInput {
  readonly kind: CodeKind
  readonly source: string
  readonly x: number
  readonly args: readonly number[]
  readonly steps: number
}

const PAUSE_MS = 150

/** Runs a body whenever it or what it is given changes. @param input Undefined while it cannot be run. */
export function useTry(input: TryInput | undefined): TryState {
  const [state, setState] = useState<TryState>({ status: 'idle' })
  const key = input && JSON.stringify(input)
  useEffect(() => {
    if (key === undefined) {
      setState({ status: 'idle' })
      return
    }
    const { kind, source, x, args, steps } = JSON.parse(key) as TryInput
    const shared = { sol_src: source, args: [...args] }
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      setState((before) => (before.status === 'ran' ? before : { status: 'running' }))
      try {
        const answer = await requestTry(
          kind === 'condition' ? { kind, ...shared } : { kind, ...shared, x, steps },
          stop.signal,
        )
        if (!stop.signal.aborted) setState({ status: 'ran', x, answer })
      } catch (error) {
        if (stop.signal.aborted) return
        const reason = error instanceof PreviewFailed ? error.message : 'It cannot be run now'
        setState({ status: 'failed', reason })
      }
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [key])
  return state
}
