import openapiTS, { astToString } from 'openapi-typescript'
import { chainDocument } from '../lib/api/chain/document.ts'
import { chainOperations } from '../lib/api/chain/index.ts'

const HEADER = '// Generated from the operations by `npm run openapi:generate`; not edited by hand.\n\n'

/** The text of `lib/client/schema.ts` for the operations as they are now. */
export async function clientTypes(): Promise<string> {
  const document = JSON.stringify(chainDocument(chainOperations))
  return HEADER + astToString(await openapiTS(document, { alphabetize: true }))
}
