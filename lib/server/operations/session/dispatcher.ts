import { isSameOrigin, siteSessionOf } from '#lib/core/identity/site-session.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { createDispatcher, type Dispatcher, type DispatcherOptions } from '../../http/dispatch.ts'
import { chainErrors } from '../../http/errors.ts'
import { sessionOperations } from './operations.ts'

/** The endpoints of the session of our own site. Requests from other sites are rejected; failures carry `{"message": …}`. */
export function createSessionDispatcher(options: Pick<DispatcherOptions, 'services'>): Dispatcher {
  return createDispatcher(sessionOperations, {
    ...options,
    base: '',
    errors: chainErrors,
    headers: { vary: 'Cookie' },
    admit: ({ headers }, { config }) => {
      if (!isSameOrigin(headers, config.siteOrigin)) {
        throw new Failure(
          'forbidden',
          'Only pages of this site may use its session; programs use the two APIs',
        )
      }
    },
    authenticate: async ({ headers }, services) => {
      const session = await siteSessionOf(headers, services)
      if (session === undefined) throw new Failure('unauthenticated', 'Sign in first')
      return { address: session.address, isEstablished: session.isEstablished, session }
    },
  })
}
