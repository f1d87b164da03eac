import { createValue } from '#lib/browser/value.ts'
import type { CaptureOffer } from '#lib/ui/world/use-capture.ts'

/** What the World on the stage of this page can be captured as; undefined for nothing. */
export const stageOffer = createValue<{ readonly offer: CaptureOffer | undefined }>({ offer: undefined })
