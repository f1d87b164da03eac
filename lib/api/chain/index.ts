import type { Operation } from '../../http/operation.ts'
import { getAccountInfo } from './account.ts'
import { getAccounts, headAccounts } from './accounts.ts'
import { postAuth } from './auth.ts'
import { getCondition, headCondition, postCondition } from './condition.ts'
import { getConnector, headConnector, postConnector } from './connector.ts'
import { postExecute } from './execute.ts'
import { getFeed } from './feed.ts'
import { getFeedStream } from './feed-stream.ts'
import { getFormatInfo } from './format.ts'
import { getFormats, headFormats } from './formats.ts'
import { getNonce } from './nonce.ts'
import { postPublishConfirm } from './publish-confirm.ts'
import { postPublishPrepare } from './publish-prepare.ts'
import { postPublishSend } from './publish-send.ts'
import { postSimulate } from './simulate.ts'
import { getTransformation, headTransformation, postTransformation } from './transformation.ts'
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
