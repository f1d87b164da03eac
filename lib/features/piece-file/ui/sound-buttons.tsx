'use client'

import { arrange } from '#lib/engine/sound/arrangement.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import type { HeardRun } from '#lib/ui/studio/live/stage-offer.tsx'
import { useSoundFiles } from '#lib/ui/studio/results/sound-files.ts'

const WORDS = { midi: 'MIDI', wav: 'Sound (WAV)' } as const

/** Buttons that save how a piece sounds, loaded when they are wanted. */
export function SoundButtons({ name, run: { streams, sound } }: { name: string; run: HeardRun }) {
  const { items, message } = useSoundFiles(
    () => arrange(streams, sound),
    (extension) => `${name}.${extension}`,
  )
  return (
    <>
      {items.map(({ id, label, enabled = true, run }) =>
        id in WORDS ? (
          <Button
            key={id}
            size="small"
            title={label}
            aria-disabled={!enabled}
            onClick={() => enabled && run?.()}
          >
            {WORDS[id as keyof typeof WORDS]}
          </Button>
        ) : null,
      )}
      <p role="status" className="order-last w-full text-xs empty:hidden">
        {message}
      </p>
    </>
  )
}
