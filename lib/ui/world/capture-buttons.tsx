'use client'

import { Camera, Clapperboard } from 'lucide-react'
import { CLIP_SECONDS } from '#lib/core/worlds/sdk/protocol.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { type CaptureOffer, useCapture } from './use-capture.ts'

const KINDS = {
  picture: { label: 'Picture', title: 'Save a picture (PNG)', icon: Camera },
  clip: { label: 'Clip', title: `Record ${CLIP_SECONDS} seconds (WebM)`, icon: Clapperboard },
} as const

/** Buttons that save a picture or a clip of a World, where it offers them. */
export function CaptureButtons({ name, control }: { name: string; control: CaptureOffer }) {
  const { busy, failed, said, take } = useCapture()
  if (control.captures.length === 0) return null
  return (
    <>
      <p
        role="status"
        className={`text-sm [overflow-wrap:anywhere] ${failed ? 'text-madder' : 'text-ink-soft'}`}
      >
        {said}
      </p>
      {control.captures.map((kind) => {
        const { label, title, icon: Icon } = KINDS[kind]
        return (
          <Button
            key={kind}
            look="text"
            size="small"
            title={title}
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
