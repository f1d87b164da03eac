'use client'

import { type RunLink, runHref } from '#lib/protocol/run-link.ts'
import { WorldChoice } from '#lib/ui/world-gallery/world-choice.tsx'

/** Worlds to show a run in. @param shown Slug of the one that does. */
export function RunWorldChoice({ link, shown }: { link: RunLink; shown: string | undefined }) {
  return (
    <WorldChoice
      title={shown === undefined ? 'In a World' : 'In another World'}
      label="Worlds to show it in"
      hrefOf={(world) => runHref({ ...link, world, slots: undefined })}
      leftOut={[shown]}
    />
  )
}
