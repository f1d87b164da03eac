import type { Dispatcher } from '../../http/dispatch.ts'
import { type ApiOptions, createApiDispatcher } from '../api.ts'
import { getServicesDocument, servicesOperations } from './index.ts'

/**
 * The whole services API as one function from request to response.
 *
 * @example
 * const dispatch = createServicesDispatcher({ services: getServices })
 * await dispatch(new Request('http://localhost/services/health'))
 */
export function createServicesDispatcher(options: ApiOptions): Dispatcher {
  return createApiDispatcher('services', [...servicesOperations, getServicesDocument], options)
}
