import openapiTS, { astToString } from 'openapi-typescript'
import { chainDocument } from '../lib/api/chain/document.ts'
import { chainOperations } from '../lib/api/chain/index.ts'
import { servicesDocument } from '../lib/api/services/document.ts'
import { servicesOperations } from '../lib/api/services/index.ts'

const HEADER = '// Generated from the operations by `npm run openapi:generate`; not edited by hand.\n\n'

/** The documents of both APIs, for the operations as they are now. */
export const documents = {
  chain: () => chainDocument(chainOperations),
  services: () => servicesDocument(servicesOperations),
} as const

export type ApiName = keyof typeof documents

/** The text of `lib/client/<api>-schema.ts`. */
export async function clientTypes(api: ApiName): Promise<string> {
  return HEADER + astToString(await openapiTS(JSON.stringify(documents[api]()), { alphabetize: true }))
}
