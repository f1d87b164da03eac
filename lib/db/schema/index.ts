export * from './feed.ts'
export * from './identity.ts'
export * from './publication.ts'
export * from './registry.ts'
