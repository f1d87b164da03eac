'use client'

import { ErrorView } from '#lib/ui/frame/error-view.tsx'

/** For errors of a page, inside of the site's frame. */
export default ErrorView
