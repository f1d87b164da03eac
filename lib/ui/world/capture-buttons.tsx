'use client'

import { Camera, Clapperboard } from 'lucide-react'
import { useState } from 'react'
import { WorldCaptureError } from '../../worlds/sdk/host.ts'
import { type CaptureKind, CLIP_SECONDS } from '../../worlds/sdk/protocol.ts'
import { saveFile } from '../components/save-file.ts'
import { formatBytes } from './error-messages.ts'
import type { WorldFrameControl } from './use-world-frame.ts'

const KINDS = {
  picture: { label: 'Picture', title: 'Save a picture (PNG)', ending: 'png', icon: Camera },
  clip: {
    label: 'Clip',
    title: `Record ${CLIP_SECONDS} seconds (WebM)`,
    ending: 'webm',
    icon: Clapperboard,
  },
} as const

type Outcome =
  | { readonly state: 'idle' }
  | { readonly state: 'busy'; readonly kind: CaptureKind }
  | { readonly state: 'saved'; readonly file: string; readonly bytes: number }
  | { readonly state: 'failed'; readonly reason: string }

/** Buttons that save a picture or a clip of a World, where it offers them. */
export function CaptureButtons({
  name,
  control: { captures, capture },
}: {
  name: string
  control: Pick<WorldFrameControl, 'captures' | 'capture'>
}) {
  const [outcome, setOutcome] = useState<Outcome>({ state: 'idle' })
  if (captures.length === 0) return null
  const take = async (kind: CaptureKind) => {
    if (outcome.state === 'busy') return
    setOutcome({ state: 'busy', kind })
    try {
      const blob = await capture(kind)
      const file = `${fileName(name)}.${KINDS[kind].ending}`
      saveFile(blob, file)
      setOutcome({ state: 'saved', file, bytes: blob.size })
    } catch (error) {
      setOutcome({
        state: 'failed',
        reason: error instanceof WorldCaptureError ? error.message : 'It did not work.',
      })
    }
  }
  return (
    <>
      <p
        role="status"
        className={`text-sm [overflow-wrap:anywhere] ${outcome.state === 'failed' ? 'text-madder' : 'text-ink-soft'}`}
      >
        {wordsOf(outcome)}
      </p>
      {captures.map((kind) => {
        const { label, title, icon: Icon } = KINDS[kind]
        return (
          <button
            key={kind}
            type="button"
            title={title}
            aria-disabled={outcome.state === 'busy'}
            onClick={() => take(kind)}
            className="inline-flex min-h-9 cursor-pointer items-center gap-1.5 rounded-md px-2 text-ink-soft text-sm transition-colors hover:bg-sunk hover:text-ink aria-disabled:cursor-default aria-disabled:opacity-60 pointer-coarse:min-h-11"
          >
            <Icon className="size-4" aria-hidden="true" />
            {label}
          </button>
        )
      })}
    </>
  )
}

function wordsOf(outcome: Outcome): string {
  switch (outcome.state) {
    case 'idle':
      return ''
    case 'busy':
      return outcome.kind === 'clip' ? `Recording ${CLIP_SECONDS} seconds…` : 'Taking a picture…'
    case 'saved':
      return `Saved ${outcome.file} (${formatBytes(outcome.bytes)}).`
    case 'failed':
      return `Nothing was saved: ${outcome.reason}`
  }
}

/** The name of a World as a file is called on any system. */
function fileName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return plain.slice(0, 60) || 'world'
}
