import { createDispatcher, type Dispatcher, type DispatcherOptions } from '../../http/dispatch.ts'
import { servicesErrors } from '../../http/errors.ts'
import { documentOperation } from '../../http/openapi.ts'
import { authenticateSession } from '../authenticate.ts'
import { servicesDocument } from './document.ts'
import { servicesOperations } from './index.ts'

/**
 * The whole services API as one function from request to response.
 *
 * @example
 * const dispatch = createServicesDispatcher({ services: getServices })
 * await dispatch(new Request('http://localhost/services/health'))
 */
export function createServicesDispatcher(
  options: Pick<DispatcherOptions, 'services' | 'validateResponses' | 'observe'>,
): Dispatcher {
  return createDispatcher(
    [...servicesOperations, documentOperation('services', () => servicesDocument(servicesOperations))],
    {
      base: '/services',
      errors: servicesErrors,
      authenticate: authenticateSession,
      ...options,
    },
  )
}
