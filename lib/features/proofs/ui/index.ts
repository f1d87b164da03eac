import { laterPart } from '#lib/ui/kit/load-later.tsx'

export { Certificate } from './certificate.tsx'
export type { Expected } from './verify-panel.tsx'

/** Loaded on demand: most readers do not run again what they see. */
export const verifyPanel = laterPart(
  'The verification',
  async () => (await import('./verify-panel.tsx')).VerifyPanel,
)
