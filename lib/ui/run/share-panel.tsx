'use client'

import { MAX_LINK_LENGTH, type RunLink, runHref } from '#lib/protocol/run-link.ts'
import { CopyLink } from '#lib/ui/components/copy-link.tsx'

/** A button that copies the link of a run. */
export function CopyRunLink({ link, origin }: { link: RunLink; origin: string | undefined }) {
  const href = runHref(link)
  if (href.length > MAX_LINK_LENGTH) {
    return <p className="text-sm">Too many overrides to fit in a link.</p>
  }
  return <CopyLink href={href} origin={origin} />
}
