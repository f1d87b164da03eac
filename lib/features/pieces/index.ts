export { findStill, stillHref } from './stills.ts'
export { MAX_VERSIONS, readPlace, readWall, type WallPlace, writePlace } from './wall.ts'
