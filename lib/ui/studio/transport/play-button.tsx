'use client'

import { Play, Square } from 'lucide-react'

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
  /** Whether it is disabled only until its code or numbers are there. */
  loading?: boolean
  title: string
  onPress?: () => void
}) {
  return (
    <button
      type="button"
      disabled={disabled}
      title={title}
      onClick={onPress}
      className="inline-flex h-10 min-w-24 shrink-0 cursor-pointer items-center justify-center gap-2 rounded-md bg-ink px-4 font-medium text-ground transition-colors hover:bg-accent hover:text-on-accent disabled:cursor-default disabled:opacity-50 touch:h-11"
    >
      {loading ? null : playing ? (
        <Square className="size-4 fill-current" aria-hidden="true" />
      ) : (
        <Play className="size-4 fill-current" aria-hidden="true" />
      )}
      {loading ? 'Loading' : playing ? 'Stop' : 'Play'}
    </button>
  )
}
