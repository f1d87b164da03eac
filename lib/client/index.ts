/** Exports of the packaged client; see `README.md` beside this file. */
export type { ApiClientOptions } from './api-client.ts'
export { type ChainClient, createChainClient } from './chain.ts'
export type { components as ChainComponents } from './chain-schema.ts'
export { orThrow, WeftError } from './errors.ts'
export { type FeedChange, type FollowOptions, follow } from './follow.ts'
export {
  type EntityRef,
  type PublicationTransaction,
  type PublicationWords,
  type Published,
  type PublishOptions,
  publish,
  type TransactionSigner,
} from './publish.ts'
export { createServicesClient, type ServicesClient } from './services.ts'
export type { components as ServicesComponents } from './services-schema.ts'
export { type MessageSigner, signIn, signInToServices } from './sign-in.ts'
export { type AuthorWords, encodeWords, parseWords } from './words.ts'
