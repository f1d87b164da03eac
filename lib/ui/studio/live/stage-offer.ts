import { createValue } from '#lib/browser/value.ts'
import type { CaptureOffer } from '#lib/ui/world/use-capture.ts'

/** Captures that the World on the stage of this page offers; undefined for none. */
export const stageOffer = createValue<{ readonly offer: CaptureOffer | undefined }>({ offer: undefined })
