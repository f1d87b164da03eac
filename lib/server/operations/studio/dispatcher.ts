import { isSameOrigin } from '#lib/core/identity/site-session.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { createDispatcher, type Dispatcher, type DispatcherOptions } from '../../http/dispatch.ts'
import { chainErrors } from '../../http/errors.ts'
import { authenticateSession } from '../authenticate.ts'
import { studioOperations } from './index.ts'

const REFUSAL = new Failure(
  'forbidden',
  'Only pages of this site may use the studio; programs use the two APIs',
)

/**
 * The endpoints behind the studio as one function from request to response. Only pages of the site are answered;
 * failures carry `{"message": …}`.
 */
export function createStudioDispatcher(
  options: Pick<DispatcherOptions, 'services' | 'validateResponses' | 'observe'> &
    Partial<Pick<DispatcherOptions, 'base'>>,
): Dispatcher {
  return createDispatcher(studioOperations, {
    base: '/studio/api',
    errors: chainErrors,
    authenticate: authenticateSession,
    admit: (request, { config }) => {
      if (!isSameOrigin(request.headers, config.siteOrigin)) throw REFUSAL
    },
    ...options,
  })
}
