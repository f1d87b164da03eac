'use client'

import { Camera, Clapperboard } from 'lucide-react'
import { clipTypes } from '#lib/core/worlds/sdk/clip.ts'
import { type CaptureKind, CLIP_SECONDS } from '#lib/core/worlds/sdk/protocol.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { type CaptureOffer, CLIP_NAMES, useCapture } from './use-capture.ts'

const KINDS = {
  picture: { label: 'Picture', icon: Camera },
  clip: { label: 'Clip', icon: Clapperboard },
} as const

function titleOf(kind: CaptureKind, hasSound: boolean): string {
  const [type] = clipTypes()
  return kind === 'clip' && type
    ? `Record ${CLIP_SECONDS} seconds ${hasSound ? 'with' : 'without'} sound (${CLIP_NAMES[type]})`
    : 'Save a picture (PNG)'
}

/** Buttons that save a picture or a clip of a World, where it offers them. */
export function CaptureButtons({ name, control }: { name: string; control: CaptureOffer }) {
  const { busy, failed, message, take } = useCapture()
  if (control.captures.length === 0) return null
  return (
    <>
      <p
        role="status"
        className={`text-sm [overflow-wrap:anywhere] ${failed ? 'text-madder' : 'text-ink-soft'}`}
      >
        {message}
      </p>
      {control.captures.map((kind) => {
        const { label, icon: Icon } = KINDS[kind]
        return (
          <Button
            key={kind}
            look="text"
            size="small"
            title={titleOf(kind, control.record !== undefined)}
            aria-disabled={busy}
            onClick={() => take(name, control, kind)}
          >
            <Icon className="size-4" aria-hidden="true" />
            {label}
          </Button>
        )
      })}
    </>
  )
}
