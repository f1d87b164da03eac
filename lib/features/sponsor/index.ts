export type { SponsoredAnswer } from './operations.ts'
