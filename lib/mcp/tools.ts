import { getAccountInfo } from '../api/chain/account.ts'
import { getAccounts } from '../api/chain/accounts.ts'
import { postAuth } from '../api/chain/auth.ts'
import { getCondition, postCondition } from '../api/chain/condition.ts'
import { getConnector, postConnector } from '../api/chain/connector.ts'
import { postExecute } from '../api/chain/execute.ts'
import { getFeed } from '../api/chain/feed.ts'
import { getFormatInfo } from '../api/chain/format.ts'
import { getFormats } from '../api/chain/formats.ts'
import { getNonce } from '../api/chain/nonce.ts'
import { postPublishConfirm } from '../api/chain/publish-confirm.ts'
import { postPublishPrepare } from '../api/chain/publish-prepare.ts'
import { postPublishSend } from '../api/chain/publish-send.ts'
import { postSimulate } from '../api/chain/simulate.ts'
import { getTransformation, postTransformation } from '../api/chain/transformation.ts'
import type { Operation } from '../http/operation.ts'
import { searchEverything } from './search-operation.ts'

/** An operation of the chain API under the name that agents call it by. */
export interface ToolFacts {
  readonly name: string
  readonly operation: Operation
  /**
   * What it does to the network: looks; adds what its owner can still change; or what nobody can take back. Clients ask
   * their people accordingly.
   */
  readonly effect: 'reads' | 'drafts' | 'publishes'
  /** What an agent should know beyond the description of the operation. */
  readonly advice?: string
}

/** In the order in which they are used. */
export const TOOLS: readonly ToolFacts[] = [
  { name: 'search', operation: searchEverything, effect: 'reads' },
  { name: 'read_connector', operation: getConnector, effect: 'reads' },
  { name: 'read_transformation', operation: getTransformation, effect: 'reads' },
  { name: 'read_condition', operation: getCondition, effect: 'reads' },
  { name: 'list_feed', operation: getFeed, effect: 'reads' },
  { name: 'list_formats', operation: getFormats, effect: 'reads' },
  { name: 'read_format', operation: getFormatInfo, effect: 'reads' },
  { name: 'list_accounts', operation: getAccounts, effect: 'reads' },
  { name: 'read_account', operation: getAccountInfo, effect: 'reads' },
  {
    name: 'simulate',
    operation: postSimulate,
    effect: 'reads',
    advice: 'Ask for few particles: 8 to 64 say enough about most connectors.',
  },
  { name: 'execute', operation: postExecute, effect: 'reads' },
  {
    name: 'get_nonce',
    operation: getNonce,
    effect: 'reads',
    advice: 'The first step of signing in; the second is `log_in`.',
  },
  {
    name: 'log_in',
    operation: postAuth,
    effect: 'reads',
    advice:
      'Sign with the key of the account, outside of this conversation where that is possible: no tool here ever needs ' +
      'a private key.',
  },
  {
    name: 'create_transformation',
    operation: postTransformation,
    effect: 'drafts',
    advice:
      'The body sees `uint32 x` and `uint32[] args`, and returns a uint32, for instance `return x + args[0];`.',
  },
  {
    name: 'create_condition',
    operation: postCondition,
    effect: 'drafts',
    advice: 'The body sees `int32[] args` and returns a bool, for instance `return args[0] >= args[1];`.',
  },
  { name: 'create_connector', operation: postConnector, effect: 'drafts' },
  {
    name: 'prepare_publication',
    operation: postPublishPrepare,
    effect: 'reads',
    advice:
      'Set `relay` to have nonce and fees filled in, sign `transaction` merged with `signing` as a type-2 transaction, ' +
      'and go on with `send_publication`. Names and transactions cannot be taken back: ask your person first.',
  },
  { name: 'send_publication', operation: postPublishSend, effect: 'publishes' },
  {
    name: 'confirm_publication',
    operation: postPublishConfirm,
    effect: 'reads',
    advice: 'While the answer says `pending`, wait a few seconds and ask again.',
  },
]
