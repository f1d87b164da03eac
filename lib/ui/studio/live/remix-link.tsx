'use client'

import type { ReactNode } from 'react'
import { useValue } from '#lib/ui/components/value.ts'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { useStageOffer } from './stage-offer.tsx'

/** Link to the remix of a piece, with its knobs as they are turned on the stage of the page. */
export function RemixLink({ href, children }: { href: string; children: ReactNode }) {
  const { remix } = useValue(useStageOffer())
  return (
    <ButtonLink
      look="filled"
      className="w-full"
      href={href}
      onClick={(event) => {
        if (remix === undefined || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        remix()
      }}
    >
      {children}
    </ButtonLink>
  )
}
