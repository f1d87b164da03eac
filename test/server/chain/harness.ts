import type { Services } from '#lib/core/context/context.ts'
import { issueChainToken } from '#lib/core/identity/chain-token.ts'
import type { Config } from '#lib/platform/config.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { createDispatcher } from '#lib/server/http/dispatch.ts'
import { chainErrors } from '#lib/server/http/errors.ts'
import type { Operation } from '#lib/server/http/operation.ts'
import { authenticateChain } from '#lib/server/operations/authenticate.ts'
import { startServices, type TestServices } from '#test/support/services.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON; undefined when the answer is empty. */
  readonly body: unknown
}

interface CallOptions {
  readonly token?: string | undefined
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, announced as JSON. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The client leaves. */
  readonly signal?: AbortSignal
}

export interface TestApi extends TestServices {
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** A token for an account, without the ceremony. */
  token(account: Address): Promise<string>
}

/**
 * The operations over HTTP in this process, on a database of their own, with every success held against its
 * schema. The simulator is the program's own unless `parts` replaces it, the compiler where `config` configures one.
 */
export async function startApi(
  operations: readonly Operation[],
  config: Partial<Config> = {},
  parts: Partial<Services> = {},
): Promise<TestApi> {
  const started = await startServices(config, parts)
  const { services } = started
  const dispatch = createDispatcher(operations, {
    base: '/chain',
    services: async () => services,
    errors: chainErrors,
    authenticate: authenticateChain,
    validateResponses: true,
  })
  return { ...started, ...callsTo(dispatch, '/chain', services) }
}

/** Requests to the chain API of some services. */
export function callsTo(
  dispatch: (request: Request) => Promise<Response>,
  base: string,
  services: Services,
): Pick<TestApi, 'call' | 'token'> {
  return {
    call: async (method, path, { token, body, text, headers: extra, signal } = {}) => {
      const headers = new Headers(extra)
      if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
      const sent = text ?? (body === undefined ? undefined : JSON.stringify(body))
      if (sent !== undefined) headers.set('Content-Type', 'application/json')
      const response = await dispatch(
        new Request(`http://localhost${base}${path}`, {
          method,
          headers,
          body: sent ?? null,
          ...(signal && { signal }),
        }),
      )
      const received = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        body: received === '' ? undefined : JSON.parse(received),
      }
    },
    token: (account) => issueChainToken(services, account),
  }
}

/** The text of an error, for assertions on it. */
export function messageOf(answer: Answer): string {
  const { body } = answer
  return typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : ''
}
