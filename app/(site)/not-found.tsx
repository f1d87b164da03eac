import type { Metadata } from 'next'
import { LooseEnd } from '../../lib/ui/loose-end.tsx'
import { measure } from '../../lib/ui/site-frame.tsx'

export const metadata: Metadata = { title: 'Page not found' }

/** For pages that find that what they are asked for does not exist; the frame is around them already. */
export default function NotFoundHere() {
  return (
    <div className={`${measure} pt-16`}>
      <LooseEnd />
    </div>
  )
}
