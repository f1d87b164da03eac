'use client'

import { type RunLink, runHref } from '#lib/protocol/run-link.ts'
import { WorldChoice } from '#lib/ui/world-gallery/world-choice.tsx'

/** Worlds to show a run in. @param currentWorld Slug of the one that shows it now. */
export function RunWorldChoice({ link, currentWorld }: { link: RunLink; currentWorld: string | undefined }) {
  return (
    <WorldChoice
      title={currentWorld === undefined ? 'In a World' : 'In another World'}
      label="Worlds to show it in"
      hrefOf={(world) => runHref({ ...link, world, slots: undefined })}
      leftOut={[currentWorld]}
    />
  )
}
