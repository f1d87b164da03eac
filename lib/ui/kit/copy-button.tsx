'use client'

import { useEffect, useState } from 'react'
import { Press } from './button.tsx'
import { COPY_REFUSED, copyText } from './clipboard.ts'

const CONFIRMATION_MS = 1600
const REFUSAL_MS = 6000

/** Copies a text. @param what What is copied, for the accessible name: `address`. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>()
  const copied = outcome === 'copied'
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), outcome === 'copied' ? CONFIRMATION_MS : REFUSAL_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  return (
    <Press
      aria-label={outcome === undefined ? `Copy ${what}` : copied ? 'Copied' : COPY_REFUSED}
      title={outcome === 'refused' ? COPY_REFUSED : `Copy ${what}`}
      onClick={() => {
        void copyText(text).then((done) => setOutcome(done ? 'copied' : 'refused'))
      }}
      className="scripted -my-1 ml-1 inline-grid size-7 place-items-center rounded-md align-middle text-ink-soft transition-colors hover:bg-sunk hover:text-ink"
    >
      <svg viewBox="0 0 16 16" className="size-4" aria-hidden="true" fill="none" stroke="currentColor">
        {copied ? (
          <path d="M3 8.5l3.2 3.2L13 5" strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round" />
        ) : (
          <path d="M5.5 5.5h7v8h-7zM3.5 10.5v-8h7" strokeWidth="1.4" strokeLinejoin="round" />
        )}
      </svg>
    </Press>
  )
}

/** A hash or an address with a button that copies it. */
export function CopyableCode({ text, what }: { text: string; what: string }) {
  return (
    <>
      <code className="text-xs">{text}</code>
      <CopyButton text={text} what={what} />
    </>
  )
}
