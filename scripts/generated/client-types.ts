import openapiTS, { astToString } from 'openapi-typescript'
import { chainDocument } from '#lib/server/operations/chain/document.ts'
import { chainOperations } from '#lib/server/operations/chain/index.ts'
import { servicesDocument } from '#lib/server/operations/services/document.ts'
import { servicesOperations } from '#lib/server/operations/services/index.ts'

const HEADER = '// Generated from the operations by `npm run generate`.\n\n'

/** The OpenAPI documents of both APIs, by name. */
export const documents = {
  chain: () => chainDocument(chainOperations),
  services: () => servicesDocument(servicesOperations),
} as const

/** The types that the clients are built on: path -> text. */
export async function clientTypes(): Promise<ReadonlyMap<string, string>> {
  const files = Object.entries(documents).map(async ([api, document]) => {
    const types = await openapiTS(JSON.stringify(document()), { alphabetize: true })
    return [`lib/client/${api}-schema.ts`, HEADER + astToString(types)] as const
  })
  return new Map(await Promise.all(files))
}
