import { inDialect } from '#lib/features/original-dialect/index.ts'
import type { Config } from '#lib/platform/config.ts'
import { documentOperation } from '../../http/openapi.ts'
import type { Operation } from '../../http/operation.ts'
import { getNonce, postAuth } from './auth.ts'
import { chainDocument } from './document.ts'
import {
  getCondition,
  getConnector,
  getTransformation,
  headCondition,
  headConnector,
  headTransformation,
  postCondition,
  postConnector,
  postTransformation,
} from './entities.ts'
import { getFeed } from './feed.ts'
import { getFeedStream } from './feed-stream.ts'
import { getAccountInfo, getAccounts, getFormatInfo, getFormats, headAccounts, headFormats } from './lists.ts'
import { postPublishConfirm, postPublishPrepare, postPublishSend } from './publish.ts'
import { postExecute, postSimulate } from './run.ts'
import { getVersion } from './version.ts'

/** Every documented operation of the chain API, in the order of the reference page. */
export const chainOperations: readonly Operation[] = [
  getVersion,
  getNonce,
  postAuth,
  getAccounts,
  headAccounts,
  getAccountInfo,
  getConnector,
  headConnector,
  postConnector,
  getTransformation,
  headTransformation,
  postTransformation,
  getCondition,
  headCondition,
  postCondition,
  getFormats,
  headFormats,
  getFormatInfo,
  getFeed,
  getFeedStream,
  postSimulate,
  postExecute,
  postPublishPrepare,
  postPublishSend,
  postPublishConfirm,
]

/** The OpenAPI document, which does not describe itself. */
export const getChainDocument = documentOperation('chain', (config) =>
  chainDocument(servedChainOperations(config)),
)

/** The operations as a server with this configuration serves them. */
export function servedChainOperations(config: Pick<Config, 'features'>): readonly Operation[] {
  return chainOperations.map((operation) => inDialect(operation, config))
}
