'use client'

import { useEffect, useState } from 'react'

const CONFIRMATION_MS = 1600

/** Copies a text. @param what What is copied, for the accessible name: `address`. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), CONFIRMATION_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <button
      type="button"
      aria-label={copied ? 'Copied' : `Copy ${what}`}
      title={`Copy ${what}`}
      onClick={() => {
        navigator.clipboard?.writeText(text).then(
          () => setCopied(true),
          () => {
            // Without permission: the text stands right beside the button.
          },
        )
      }}
      className="scripted -my-1 ml-1 inline-grid size-7 cursor-pointer place-items-center rounded-md align-middle text-ink-soft transition-colors hover:bg-sunk hover:text-ink"
    >
      <svg viewBox="0 0 16 16" className="size-4" aria-hidden="true" fill="none" stroke="currentColor">
        {copied ? (
          <path d="M3 8.5l3.2 3.2L13 5" strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round" />
        ) : (
          <path d="M5.5 5.5h7v8h-7zM3.5 10.5v-8h7" strokeWidth="1.4" strokeLinejoin="round" />
        )}
      </svg>
    </button>
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
