'use client'

import { useEffect, useState } from 'react'
import { PreviewFailed, requestCompile } from '../preview/client.ts'
import type { BodyDiagnostic } from './diagnostics.ts'
import type { CodeKind } from './frame.ts'

/** What is known of a text that is being written. */
export type CompileState =
  /** Somebody is typing, or the server is at it. `last` is what it said before. */
  | { readonly status: 'checking'; readonly last: Verdict | undefined }
  | { readonly status: 'checked'; readonly verdict: Verdict }
  /** Nobody could be asked. The next try is under way when `retrying`. */
  | { readonly status: 'unchecked'; readonly reason: string; readonly retrying: boolean }

export interface Verdict {
  /** The text that was looked at. */
  readonly source: string
  /** Null while it does not compile. */
  readonly argsCount: number | null
  readonly diagnostics: readonly BodyDiagnostic[]
}

/** Long enough that a word is not sent letter by letter. */
const PAUSE_MS = 180

/** Asks the compiler about a text whenever typing pauses. An answer for an older text is never shown as the newest. */
export function useCompile(kind: CodeKind, source: string): CompileState {
  const [state, setState] = useState<CompileState>({ status: 'checking', last: undefined })
  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    setState((before) => ({
      status: 'checking',
      last:
        before.status === 'checked' ? before.verdict : before.status === 'checking' ? before.last : undefined,
    }))
    const ask = async () => {
      try {
        const answer = await requestCompile({ kind, sol_src: source }, stop.signal)
        const { args_count: argsCount, diagnostics } = answer
        if (!stop.signal.aborted) setState({ status: 'checked', verdict: { source, argsCount, diagnostics } })
      } catch (error) {
        if (stop.signal.aborted) return
        const retryAfterMs = error instanceof PreviewFailed ? error.retryAfterMs : undefined
        const reason = error instanceof PreviewFailed ? error.message : 'The compiler cannot be asked'
        setState({ status: 'unchecked', reason, retrying: retryAfterMs !== undefined })
        if (retryAfterMs !== undefined) timer = setTimeout(ask, retryAfterMs)
      }
    }
    timer = setTimeout(ask, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [kind, source])
  return state
}
