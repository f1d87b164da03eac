import { z } from 'zod'
import type { Services } from '#lib/core/context/context.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { createDispatcher, type Dispatcher, type DispatcherOptions } from '#lib/server/http/dispatch.ts'
import { ERROR_STATUS, type ErrorFormat } from '#lib/server/http/errors.ts'
import { readJson } from '#lib/server/http/json.ts'
import { defineOperation } from '#lib/server/http/operation.ts'
import { registerClient } from '../agent-clients.ts'
import {
  ACCESS_SECONDS,
  type AgentTokens,
  agentResource,
  exchangeCode,
  OAuthFailure,
  refreshTokens,
  revokeToken,
} from '../agent-grants.ts'

const FACTS = { api: 'site', tag: 'oauth', auth: 'none', limit: 'signIn', cache: 'no-store' } as const
const SENT = { text: { maxBytes: 16 * 1024 } }
const document = z.looseObject({})

const OPERATIONS = [
  defineOperation({
    ...FACTS,
    id: 'GET_protectedResource',
    path: '/.well-known/oauth-protected-resource/mcp/account',
    summary: 'Metadata of the resource',
    description: 'RFC 9728.',
    request: {},
    responses: { 200: { description: 'The metadata', schema: document } },
    handler: async (ctx) => ({ body: describeResource(ctx) }),
  }),
  defineOperation({
    ...FACTS,
    id: 'GET_authorizationServer',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Metadata of the authorisation server',
    description: 'RFC 8414.',
    request: {},
    responses: { 200: { description: 'The metadata', schema: document } },
    handler: async (ctx) => ({ body: describeServer(ctx) }),
  }),
  defineOperation({
    ...FACTS,
    id: 'POST_client',
    path: '/oauth/register',
    summary: 'Register an application',
    description: 'RFC 7591.',
    request: SENT,
    responses: { 201: { description: 'The application', schema: document } },
    handler: async (ctx, { text }) => ({ body: await register(ctx, text) }),
  }),
  defineOperation({
    ...FACTS,
    id: 'POST_token',
    path: '/oauth/token',
    summary: 'Exchange a code or a refresh token',
    description: 'RFC 6749, 4.1.3 and 6.',
    request: SENT,
    responses: { 200: { description: 'The tokens', schema: document } },
    handler: async (ctx, { text }) => ({ body: await issueTokens(ctx, text) }),
  }),
  defineOperation({
    ...FACTS,
    id: 'POST_revocation',
    path: '/oauth/revoke',
    summary: 'Revoke a token',
    description: 'RFC 7009: unknown tokens are no error.',
    request: SENT,
    responses: { 200: { description: 'Revoked', schema: document } },
    handler: async (ctx, { text }) => {
      await revokeToken(ctx, required(new URLSearchParams(text), 'token'))
      return { body: {} }
    },
  }),
]

/**
 * The authorisation server of agents: OAuth 2.1 for public clients with PKCE, whose login is a page of the site. Answers
 * metadata, registration, tokens and revocation.
 */
export function createOAuthDispatcher(options: Pick<DispatcherOptions, 'services'>): Dispatcher {
  return createDispatcher(OPERATIONS, {
    ...options,
    base: '',
    errors: oauthErrors,
    headers: { 'cache-control': 'no-store' },
    allowedHeaders: 'Content-Type, Mcp-Protocol-Version',
    authenticate: () => Promise.reject(new Error('Its operations are of no account')),
  })
}

/** Errors as OAuth writes them (RFC 6749, 5.2). */
const oauthErrors: ErrorFormat = ({ code, message, failure, headers }) => {
  const error = ERROR_STATUS[code] < 500 ? 'invalid_request' : 'server_error'
  const own = failure !== undefined && 'error' in failure ? failure.error : error
  const text = code === 'method_not_allowed' ? `Use ${headers?.allow}` : message
  return {
    contentType: 'application/json',
    text: JSON.stringify({ error: own, error_description: text }),
  }
}

function describeResource({ config }: Services) {
  return {
    resource: agentResource(config),
    authorization_servers: [config.siteOrigin],
    bearer_methods_supported: ['header'],
    resource_name: config.site.name,
    resource_documentation: `${config.siteOrigin}/docs/agents`,
  }
}

function describeServer({ config: { siteOrigin } }: Services) {
  return {
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
  }
}

async function register(services: Services, body: string) {
  const metadata = readJson(body) as { client_name?: unknown; redirect_uris?: unknown } | null
  try {
    const { id, name, redirectUris } = await registerClient(services, {
      name: metadata?.client_name,
      redirectUris: metadata?.redirect_uris,
    })
    return {
      client_id: id,
      client_id_issued_at: Math.floor(services.clock().getTime() / 1000),
      client_name: name,
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid_request')
      throw new OAuthFailure('invalid_redirect_uri', error.message)
    throw error
  }
}

async function issueTokens(services: Services, body: string) {
  const form = new URLSearchParams(body)
  const resource = form.get('resource')
  if (resource !== null && resource !== agentResource(services.config)) {
    throw new OAuthFailure('invalid_target', `resource: only ${agentResource(services.config)} is possible`)
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
      throw new OAuthFailure('unsupported_grant_type', 'grant_type: authorization_code or refresh_token')
  }
}

function tokenReply({ accessToken, refreshToken }: AgentTokens) {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: ACCESS_SECONDS,
    refresh_token: refreshToken,
  }
}

function required(form: URLSearchParams, name: string): string {
  const values = form.getAll(name)
  const [value] = values
  if (values.length === 1 && value !== undefined && value !== '') return value
  throw new OAuthFailure('invalid_request', `${name}: required, once`)
}
