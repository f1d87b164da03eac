import type { Dispatcher } from '../../http/dispatch.ts'
import { type ApiOptions, createApiDispatcher } from '../api.ts'
import { chainOperations, getChainDocument } from './index.ts'

/**
 * The whole chain API as one function from request to response.
 *
 * @example
 * const dispatch = createChainDispatcher({ services: getServices })
 * await dispatch(new Request('http://localhost/chain/version'))
 */
export function createChainDispatcher(options: ApiOptions): Dispatcher {
  return createApiDispatcher('chain', [...chainOperations, getChainDocument], options)
}
