/** What the packaged client offers; see `README.md` beside this file. */
export type { ApiClientOptions } from './api-client.ts'
export { type ChainClient, createChainClient } from './chain.ts'
export type { components as ChainComponents } from './chain-schema.ts'
export { createServicesClient, type ServicesClient } from './services.ts'
export type { components as ServicesComponents } from './services-schema.ts'
