'use client'

import { Play, Square } from 'lucide-react'
import { Button } from '#lib/ui/kit/button.tsx'

/** Starts and stops the sound. Apart from the transport itself, which pages load only when it is needed. */
export function PlayButton({
  playing,
  disabled,
  loading = false,
  title,
  onPress,
}: {
  playing: boolean
  disabled: boolean
  /** True where it is disabled only until its code or numbers are there. */
  loading?: boolean
  title: string
  onPress?: () => void
}) {
  return (
    <Button
      look="filled"
      disabled={disabled}
      title={title}
      onClick={onPress}
      className="min-h-10 min-w-24 shrink-0 text-base touch:min-h-11"
    >
      {loading ? null : playing ? (
        <Square className="size-4 fill-current" aria-hidden="true" />
      ) : (
        <Play className="size-4 fill-current" aria-hidden="true" />
      )}
      {loading ? 'Loading' : playing ? 'Stop' : 'Play'}
    </Button>
  )
}
