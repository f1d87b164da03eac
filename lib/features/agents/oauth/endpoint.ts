import { randomUUID } from 'node:crypto'
import type { Services } from '#lib/core/context/context.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { readText } from '#lib/server/http/body.ts'
import { ERROR_STATUS, problemOf } from '#lib/server/http/errors.ts'
import { readJson } from '#lib/server/http/json.ts'
import { logFailure } from '#lib/server/http/log-failure.ts'
import { clientOf, fromWebRequest } from '#lib/server/http/web-adapter.ts'
import { registerClient } from '../agent-clients.ts'
import {
  ACCESS_SECONDS,
  type AgentTokens,
  agentResource,
  exchangeCode,
  InvalidGrant,
  refreshTokens,
  revokeToken,
} from '../agent-grants.ts'

const MAX_BODY_BYTES = 16 * 1024

/** An error as OAuth writes it (RFC 6749, 5.2). */
class OAuthError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

type Action = (
  services: Services,
  body: string,
) => Promise<{ readonly status: number; readonly body?: unknown }>

const ACTIONS: ReadonlyMap<string, ReadonlyMap<string, Action>> = new Map([
  ['/.well-known/oauth-protected-resource/mcp/account', new Map([['GET', describeResource]])],
  ['/.well-known/oauth-authorization-server', new Map([['GET', describeServer]])],
  ['/oauth/register', new Map([['POST', register]])],
  ['/oauth/token', new Map([['POST', issueTokens]])],
  ['/oauth/revoke', new Map([['POST', revoke]])],
])

/**
 * The authorisation server of agents: OAuth 2.1 for public clients with PKCE, whose login is a page of the site. Answers
 * metadata (RFC 8414, RFC 9728), registration (RFC 7591), tokens and revocation (RFC 7009). Never throws.
 */
export function createOAuthEndpoint(options: {
  readonly services: () => Promise<Services>
}): (request: Request) => Promise<Response> {
  return async (request) => {
    const headers = new Headers({
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    const respond = (status: number, body?: unknown) =>
      body === undefined ? new Response(null, { status, headers }) : Response.json(body, { status, headers })
    const actions = ACTIONS.get(new URL(request.url).pathname)
    const methods = [...(actions?.keys() ?? []), 'OPTIONS'].join(', ')
    if (request.method === 'OPTIONS') {
      headers.set('Access-Control-Allow-Methods', methods)
      headers.set('Access-Control-Allow-Headers', 'Content-Type, Mcp-Protocol-Version')
      headers.set('Access-Control-Max-Age', '600')
      return respond(204)
    }
    const action = actions?.get(request.method)
    if (action === undefined) {
      headers.set('Allow', methods)
      return respond(405, { error: 'invalid_request', error_description: `Use ${methods}` })
    }
    try {
      const services = await options.services()
      await services.rateLimiter.take('signIn', clientOf(request, services.config.trustedProxies))
      const answer = await action(services, await readText(fromWebRequest(request), MAX_BODY_BYTES))
      return respond(answer.status, answer.body)
    } catch (error) {
      return refuse(error)
    }

    async function refuse(error: unknown): Promise<Response> {
      if (error instanceof OAuthError) {
        return respond(400, { error: error.code, error_description: error.message })
      }
      if (error instanceof InvalidGrant) {
        return respond(400, { error: 'invalid_grant', error_description: error.message })
      }
      const problem = problemOf(error, request.signal)
      const status = ERROR_STATUS[problem.code]
      const retryAfter = problem.failure?.details.retryAfterSeconds
      if (retryAfter !== undefined) headers.set('Retry-After', String(Math.ceil(retryAfter)))
      const requestId = randomUUID()
      if (status >= 500) headers.set('X-Request-Id', requestId)
      const failed = { requestId, method: request.method, path: new URL(request.url).pathname }
      await logFailure(error, problem, failed, () => options.services().then(({ log }) => log))
      return respond(status, {
        error: status < 500 ? 'invalid_request' : 'server_error',
        error_description: problem.message,
      })
    }
  }
}

async function describeResource({ config }: Services) {
  return {
    status: 200,
    body: {
      resource: agentResource(config),
      authorization_servers: [config.siteOrigin],
      bearer_methods_supported: ['header'],
      resource_name: config.site.name,
      resource_documentation: `${config.siteOrigin}/docs/agents`,
    },
  }
}

async function describeServer({ config: { siteOrigin } }: Services) {
  return {
    status: 200,
    body: {
      issuer: siteOrigin,
      authorization_endpoint: `${siteOrigin}/oauth/authorize`,
      token_endpoint: `${siteOrigin}/oauth/token`,
      client_id_metadata_document_supported: true,
      registration_endpoint: `${siteOrigin}/oauth/register`,
      revocation_endpoint: `${siteOrigin}/oauth/revoke`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      service_documentation: `${siteOrigin}/docs/agents`,
    },
  }
}

async function register(services: Services, body: string) {
  const given = readJson(body) as { client_name?: unknown; redirect_uris?: unknown } | null
  try {
    const { id, name, redirectUris } = await registerClient(services, {
      name: given?.client_name,
      redirectUris: given?.redirect_uris,
    })
    return {
      status: 201,
      body: {
        client_id: id,
        client_id_issued_at: Math.floor(services.clock().getTime() / 1000),
        client_name: name,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    }
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid_request')
      throw new OAuthError('invalid_redirect_uri', error.message)
    throw error
  }
}

async function issueTokens(services: Services, body: string) {
  const form = new URLSearchParams(body)
  const resource = form.get('resource')
  if (resource !== null && resource !== agentResource(services.config)) {
    throw new OAuthError('invalid_target', `resource: only ${agentResource(services.config)} is possible`)
  }
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return tokenReply(
        await exchangeCode(services, {
          code: required(form, 'code'),
          verifier: required(form, 'code_verifier'),
          clientId: required(form, 'client_id'),
          redirectUri: form.get('redirect_uri') ?? undefined,
        }),
      )
    case 'refresh_token':
      return tokenReply(await refreshTokens(services, required(form, 'refresh_token')))
    default:
      throw new OAuthError('unsupported_grant_type', 'grant_type: authorization_code or refresh_token')
  }
}

function tokenReply({ accessToken, refreshToken }: AgentTokens) {
  return {
    status: 200,
    body: {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: ACCESS_SECONDS,
      refresh_token: refreshToken,
    },
  }
}

/** Unknown tokens are no error (RFC 7009, 2.2). */
async function revoke(services: Services, body: string) {
  await revokeToken(services, required(new URLSearchParams(body), 'token'))
  return { status: 200, body: {} }
}

function required(form: URLSearchParams, name: string): string {
  const values = form.getAll(name)
  const [value] = values
  if (values.length === 1 && value !== undefined && value !== '') return value
  throw new OAuthError('invalid_request', `${name}: required, once`)
}
