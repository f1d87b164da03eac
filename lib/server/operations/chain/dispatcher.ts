import { createDispatcher, type Dispatcher, type DispatcherOptions } from '../../http/dispatch.ts'
import { chainErrors } from '../../http/errors.ts'
import { documentOperation } from '../../http/openapi.ts'
import { authenticateChain } from '../authenticate.ts'
import { chainDocument } from './document.ts'
import { chainOperations } from './index.ts'

/**
 * The whole chain API as one function from request to response.
 *
 * @example
 * const dispatch = createChainDispatcher({ services: getServices })
 * await dispatch(new Request('http://localhost/chain/version'))
 */
export function createChainDispatcher(
  options: Pick<DispatcherOptions, 'services' | 'validateResponses' | 'observe'> &
    Partial<Pick<DispatcherOptions, 'base'>>,
): Dispatcher {
  const { base = '/chain' } = options
  return createDispatcher(
    [...chainOperations, documentOperation('chain', () => chainDocument(chainOperations, base))],
    {
      base,
      errors: chainErrors,
      authenticate: authenticateChain,
      ...options,
    },
  )
}
