import type { Metadata } from 'next'
import { LooseEnd } from '../../lib/ui/loose-end.tsx'

export const metadata: Metadata = { title: 'Page not found' }

/** For pages that find that what they are asked for does not exist; the frame is around them already. */
export default function NotFoundHere() {
  return <LooseEnd />
}
