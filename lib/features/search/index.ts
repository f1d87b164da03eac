export type { EntityHit } from './hit.ts'
export { search } from './search.ts'
