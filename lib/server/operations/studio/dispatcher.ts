import type { Dispatcher } from '../../http/dispatch.ts'
import { type ApiOptions, createApiDispatcher } from '../api.ts'
import { studioOperations } from './index.ts'

/**
 * The endpoints behind the studio as one function from request to response. Only pages of the site are answered;
 * failures carry `{"message": …}`.
 */
export function createStudioDispatcher(options: ApiOptions): Dispatcher {
  return createApiDispatcher('studio', studioOperations, options)
}
