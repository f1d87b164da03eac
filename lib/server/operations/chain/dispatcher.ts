import type { Dispatcher } from '../../http/dispatch.ts'
import { documentOperation } from '../../http/openapi.ts'
import { type ApiOptions, createApiDispatcher } from '../api.ts'
import { chainDocument } from './document.ts'
import { chainOperations } from './index.ts'

/**
 * The whole chain API as one function from request to response.
 *
 * @example
 * const dispatch = createChainDispatcher({ services: getServices })
 * await dispatch(new Request('http://localhost/chain/version'))
 */
export function createChainDispatcher(options: ApiOptions): Dispatcher {
  const document = documentOperation('chain', () => chainDocument(chainOperations, options.base))
  return createApiDispatcher('chain', [...chainOperations, document], options)
}
