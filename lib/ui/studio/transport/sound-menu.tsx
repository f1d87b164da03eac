'use client'

import { Popover } from '@base-ui/react/popover'
import { SlidersHorizontal } from 'lucide-react'
import { useEffect } from 'react'
import { LoadLater, laterPart, loadAhead } from '#lib/ui/kit/load-later.tsx'
import type { SoundSettingsProps } from './sound-settings.tsx'

const settings = laterPart('The sound menu', () =>
  import('./sound-settings.tsx').then((loaded) => loaded.SoundSettings),
)

/** Menu of the sound: its button, and its settings in a popup. */
export function SoundMenu(props: SoundSettingsProps) {
  // They come once something can be heard.
  useEffect(() => loadAhead(settings), [])
  return (
    <Popover.Root>
      <Popover.Trigger className="flex h-10 shrink-0 cursor-pointer items-center gap-2 rounded-md border border-edge px-3 hover:border-accent touch:h-11">
        <SlidersHorizontal className="size-4" aria-hidden="true" />
        Sound
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner side="top" align="end" sideOffset={10} collisionPadding={8} className="z-dialog">
          <Popover.Popup className="max-h-[min(34rem,calc(100dvh-6rem))] w-[57rem] max-w-(--available-width) overflow-y-auto overscroll-contain rounded-lg border border-edge bg-raised p-4 text-sm shadow-lg">
            <Popover.Title className="font-semibold text-base">Sound of {props.source.name}</Popover.Title>
            <LoadLater part={settings} props={props} opening={<p className="mt-3">Opening…</p>} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
