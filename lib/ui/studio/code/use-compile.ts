'use client'

import { useMemo } from 'react'
import type { CodeKind } from '../document/types.ts'
import { type CompileAnswer, requestCompile } from '../preview/client.ts'
import { useLatest } from '../preview/use-latest.ts'
import type { BodyDiagnostic } from './code-text.ts'

/** The compiler's verdict on the text of a body. */
export type CompileState =
  /** `last` is the verdict on an earlier text. */
  | { readonly status: 'checking'; readonly last: Verdict | undefined }
  | { readonly status: 'checked'; readonly verdict: Verdict }
  | { readonly status: 'unchecked'; readonly reason: string; readonly retrying: boolean }

export interface Verdict {
  /** The text that was compiled. */
  readonly source: string
  /** Null while it does not compile. */
  readonly argsCount: number | null
  readonly diagnostics: readonly BodyDiagnostic[]
}

const DEBOUNCE_MS = 180

interface CompileQuestion {
  readonly kind: CodeKind
  readonly sol_src: string
}

/** Compiles a text whenever typing pauses. */
export function useCompile(kind: CodeKind, source: string): CompileState {
  const question = useMemo((): CompileQuestion => ({ kind, sol_src: source }), [kind, source])
  const { state } = useLatest<CompileQuestion, CompileAnswer>(question, {
    send: requestCompile,
    debounceMs: DEBOUNCE_MS,
    maxRetries: Number.POSITIVE_INFINITY,
  })
  const { phase, message, answer } = state
  return useMemo(() => {
    const last = answer && {
      source: answer.question.sol_src,
      argsCount: answer.answer.args_count,
      diagnostics: answer.answer.diagnostics,
    }
    if (phase === 'done' && last?.source === source) return { status: 'checked', verdict: last }
    if (message === '') return { status: 'checking', last }
    return { status: 'unchecked', reason: message, retrying: phase === 'running' }
  }, [phase, message, answer, source])
}
