import { randomUUID } from 'node:crypto'
import type { Context, Services } from '#lib/core/context/context.ts'
import { isSameOrigin, openSiteCookie, readSiteSession } from '#lib/core/identity/site-session.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { ERROR_STATUS, problemOf } from '../../http/errors.ts'
import { logFailure } from '../../http/log-failure.ts'
import { clientOf } from '../../http/web-adapter.ts'
import {
  type Call,
  chainSignIn,
  describeNetwork,
  type SessionAction,
  type SessionReply,
  signInWithCookie,
  signOutElsewhere,
  signOutOfSite,
  whoAmI,
} from './actions.ts'

/** The rows of the site's own session endpoints, which are not part of either API. */
const ROUTES: ReadonlyMap<string, ReadonlyMap<string, SessionAction>> = new Map([
  [
    '/session',
    new Map([
      ['GET', whoAmI],
      ['POST', signInWithCookie],
      ['DELETE', signOutOfSite],
    ]),
  ],
  ['/session/others', new Map([['DELETE', signOutElsewhere]])],
  ['/session/chain', new Map([['POST', chainSignIn]])],
  ['/session/network', new Map([['GET', describeNetwork]])],
])

/**
 * The session of our own site: the same verbs as the APIs', with the tokens stored in a sealed cookie that no script
 * can read. Requests from other sites are rejected.
 *
 * Failures carry `{"message": …}`. Never throws.
 */
export function createSessionHandler(options: {
  readonly services: () => Promise<Services>
}): (request: Request) => Promise<Response> {
  return async (request) => {
    const requestId = randomUUID()
    const headers = new Headers({
      'Cache-Control': 'no-store',
      Vary: 'Cookie',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
    })
    try {
      const services = await options.services()
      return respond(await answer(request, services, requestId, headers), headers)
    } catch (error) {
      const problem = problemOf(error, request.signal)
      const retryAfter = problem.failure?.details.retryAfterSeconds
      if (retryAfter !== undefined) headers.set('Retry-After', String(Math.ceil(retryAfter)))
      const failed = { requestId, method: request.method, path: new URL(request.url).pathname }
      await logFailure(error, problem, failed, () => options.services().then(({ log }) => log))
      return respond({ status: ERROR_STATUS[problem.code], body: { message: problem.message } }, headers)
    }
  }
}

async function answer(
  request: Request,
  services: Services,
  requestId: string,
  headers: Headers,
): Promise<SessionReply> {
  const methods = ROUTES.get(new URL(request.url).pathname)
  if (methods === undefined) return { status: 404, body: { message: 'There is nothing at this path' } }
  const action = methods.get(request.method)
  if (action === undefined) {
    headers.set('Allow', [...methods.keys()].join(', '))
    return { status: 405, body: { message: 'This path has no such method' } }
  }
  if (!isSameOrigin(request.headers, services.config.siteOrigin)) {
    throw new Failure('forbidden', 'Only pages of this site may use its session; programs use the two APIs')
  }
  const client = clientOf(request, services.config.trustedProxies)
  // What takes a signature is costly, as on the two APIs.
  if (request.method === 'POST') await services.rateLimiter.take('signIn', client)
  const cookie = await openSiteCookie(services.config, request.headers.get('cookie'), headers)
  const session = await readSiteSession(services, cookie)
  const ctx: Context = {
    ...services,
    log: services.log.child({ requestId, operation: 'session' }),
    requestId,
    caller: session?.address,
    session,
    signal: request.signal,
  }
  const call: Call = { ctx, request, cookie, session }
  return action(call)
}

function respond({ status, body }: SessionReply, headers: Headers): Response {
  if (body === undefined) return new Response(null, { status, headers })
  headers.set('Content-Type', 'application/json')
  return new Response(JSON.stringify(body), { status, headers })
}
