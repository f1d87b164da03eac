import type { Metadata } from 'next'
import { NotFoundView } from '#lib/ui/frame/not-found-view.tsx'

export const metadata: Metadata = { title: 'Page not found' }

/** For `notFound()` in a page of the site, which has the frame already. */
export default NotFoundView
