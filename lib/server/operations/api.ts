import { isSameOrigin } from '#lib/core/identity/site-session.ts'
import { inDialect } from '#lib/features/original-dialect/index.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { createDispatcher, type Dispatcher, type DispatcherOptions } from '../http/dispatch.ts'
import { chainErrors, servicesErrors } from '../http/errors.ts'
import type { Operation } from '../http/operation.ts'
import { authenticateChain, authenticateSession } from './authenticate.ts'

/** An API; what the site serves besides has dispatchers of its own. */
export type Api = Exclude<Operation['api'], 'site'>

const FOREIGN = new Failure(
  'forbidden',
  'Only pages of this site may use the studio; programs use the two APIs',
)

/** Common facts of the operations of an API. */
export const APIS: Readonly<
  Record<Api, Pick<DispatcherOptions, 'base' | 'errors' | 'authenticate' | 'admit' | 'substitute'>>
> = {
  chain: {
    base: '/chain',
    errors: chainErrors,
    authenticate: authenticateChain,
    substitute: (operation, { config }) => inDialect(operation, config),
  },
  services: { base: '/services', errors: servicesErrors, authenticate: authenticateSession },
  studio: {
    base: '/studio/api',
    errors: chainErrors,
    authenticate: authenticateSession,
    admit: (request, { config }) => {
      if (!isSameOrigin(request.headers, config.siteOrigin)) throw FOREIGN
    },
  },
}

export type ApiOptions = Pick<DispatcherOptions, 'services' | 'validateResponses' | 'observe'>

/** Some or all operations of an API as one function from request to response. */
export function createApiDispatcher(
  api: Api,
  operations: readonly Operation[],
  options: ApiOptions,
): Dispatcher {
  return createDispatcher(operations, { ...APIS[api], ...options })
}
