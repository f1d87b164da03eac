'use client'

import { ErrorView } from '#lib/ui/frame/error-view.tsx'

/** For errors of the studio, below its bar. */
export default ErrorView
