import { createHash, randomUUID } from 'node:crypto'
import { and, desc, eq, gt, isNotNull, isNull, lte } from 'drizzle-orm'
import { jwtVerify, SignJWT } from 'jose'
import type { Context, Services } from '#lib/core/context/context.ts'
import { accountShare } from '#lib/core/identity/client-network.ts'
import { lockAccount, requireOwner } from '#lib/core/identity/own-account.ts'
import {
  makeSessionToken,
  parseSessionToken,
  type SessionToken,
  sameHash,
} from '#lib/core/identity/sessions.ts'
import { users } from '#lib/platform/db/schema/index.ts'
import { bareAddress, parseAddress } from '#lib/protocol/address.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { isRegistered, readClient } from './agent-clients.ts'
import { agentGrants } from './schema.ts'

/* Applications that act for an account: OAuth 2.1 with PKCE, as the Model Context Protocol requires it of servers. */

const CODE_SECONDS = 60
export const ACCESS_SECONDS = 60 * 60
const REFRESH_SECONDS = 30 * 24 * 60 * 60

/** Grants of one account. */
const MAX_GRANTS = 50

const ALGORITHM = 'HS256'
/** RFC 9068. */
const TYPE = 'at+jwt'

type GrantServices = Pick<Services, 'db' | 'config' | 'clock'>

/** Request of an application to the account's browser, unverified. */
export interface AuthorisationRequest {
  readonly client_id?: string | undefined
  readonly redirect_uri?: string | undefined
  readonly response_type?: string | undefined
  readonly code_challenge?: string | undefined
  readonly code_challenge_method?: string | undefined
  readonly resource?: string | undefined
  readonly state?: string | undefined
}

/** A checked request. */
export interface Authorisation {
  readonly clientName: string
  readonly redirectUri: string
  readonly codeChallenge: string
  readonly state: string | undefined
}

/** Tokens of a grant. */
export interface AgentTokens {
  readonly accessToken: string
  readonly refreshToken: string
}

/** An application that acts for an account. */
export interface AgentGrant {
  readonly id: string
  readonly clientName: string
  readonly redirectUri: string
  readonly createdAt: Date
  readonly usedAt: Date | null
  readonly expiresAt: Date
}

/** The MCP endpoint that acts for an account: the audience of access tokens. */
export function agentResource({ siteOrigin }: { readonly siteOrigin: string }): string {
  return `${siteOrigin}/mcp/account`
}

/**
 * Checks what an application asks for.
 *
 * @param account Undefined for visitors, for whom no document of an application is fetched.
 * @throws Failure('invalid_request') with a sentence for the account's page, Failure('unauthenticated'), Failure('too_many').
 */
export async function readAuthorisation(
  services: Pick<Services, 'config' | 'clock' | 'db'>,
  request: AuthorisationRequest,
  account: Address | undefined,
): Promise<Authorisation> {
  const share = account && (await accountShare(services, account))
  const client = await readClient(services, request.client_id ?? '', share)
  const redirectUri = request.redirect_uri ?? (client.redirectUris.length === 1 ? client.redirectUris[0] : '')
  const refusal =
    redirectUri === undefined || !isRegistered(client, redirectUri)
      ? 'redirect_uri: the application did not register this address'
      : request.response_type !== 'code'
        ? 'response_type: only code is possible'
        : request.code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(request.code_challenge ?? '')
          ? 'code_challenge: the application must use PKCE with S256'
          : (request.resource ?? agentResource(services.config)) !== agentResource(services.config)
            ? `resource: only ${agentResource(services.config)} is possible`
            : (request.state ?? '').length > 1_000
              ? 'state: at most 1,000 characters'
              : undefined
  if (refusal !== undefined) throw new Failure('invalid_request', refusal)
  return {
    clientName: client.name,
    redirectUri: redirectUri as string,
    codeChallenge: request.code_challenge as string,
    state: request.state,
  }
}

/**
 * Answers an application for the signed-in account.
 *
 * @returns where the browser goes next: to the application, with a code of one minute or the refusal.
 * @throws Failure('invalid_request'), Failure('too_many'), Failure('unauthenticated'), Failure('forbidden')
 */
export async function answerAuthorisation(
  ctx: Context,
  {
    account,
    request,
    allow,
  }: { readonly account: Address; readonly request: AuthorisationRequest; readonly allow: boolean },
): Promise<string> {
  const address = requireOwner(ctx, account)
  const { clientName, redirectUri, codeChallenge, state } = await readAuthorisation(ctx, request, address)
  const answer = new URL(redirectUri)
  answer.searchParams.set('iss', ctx.config.siteOrigin)
  if (state !== undefined) answer.searchParams.set('state', state)
  if (allow)
    answer.searchParams.set(
      'code',
      await createGrant(ctx, address, { clientName, redirectUri, codeChallenge }),
    )
  else answer.searchParams.set('error', 'access_denied')
  return answer.href
}

async function createGrant(
  ctx: Context,
  address: Address,
  terms: Pick<Authorisation, 'clientName' | 'redirectUri' | 'codeChallenge'>,
): Promise<string> {
  const { token, selector, secretHash } = makeSessionToken()
  const now = ctx.clock()
  await ctx.db.orm.transaction(async (tx) => {
    await lockAccount(tx, address)
    await tx.delete(agentGrants).where(and(eq(agentGrants.address, address), lte(agentGrants.expiresAt, now)))
    if ((await tx.$count(agentGrants, eq(agentGrants.address, address))) >= MAX_GRANTS) {
      throw new Failure(
        'too_many',
        `At most ${MAX_GRANTS} applications can be connected: disconnect one first`,
      )
    }
    await tx.insert(agentGrants).values({
      selector,
      address,
      ...terms,
      codeHash: secretHash,
      createdAt: now,
      expiresAt: secondsAfter(now, CODE_SECONDS),
    })
  })
  return token
}

/** A failure with its name in OAuth (RFC 6749, 5.2). */
export class OAuthFailure extends Failure {
  readonly error: string
  constructor(error: string, message: string) {
    super('invalid_request', message)
    this.error = error
  }
}

/** Thrown for a code or refresh token that gives no tokens, whatever the reason. */
class InvalidGrant extends OAuthFailure {
  constructor(message: string) {
    super('invalid_grant', message)
  }
}

/**
 * Exchanges a code for tokens, once. A code that is used again was stolen by one of its two users: it ends the grant.
 *
 * @throws {InvalidGrant}
 */
export async function exchangeCode(
  services: GrantServices,
  request: {
    readonly code: string
    readonly verifier: string
    readonly clientId: string
    readonly redirectUri: string | undefined
  },
): Promise<AgentTokens> {
  const parsed = parseSessionToken(request.code)
  const grant = parsed === undefined ? undefined : await findGrant(services, parsed.selector)
  if (parsed === undefined || grant === undefined || !sameHash(grant.codeHash, parsed.secretHash)) {
    throw new InvalidGrant('The code is unknown or has expired')
  }
  if (grant.refreshHash !== null) {
    await deleteGrant(services, parsed.selector)
    throw new InvalidGrant('The code was used before; the application is disconnected')
  }
  const client = await readClient(services, request.clientId, grant.address).catch(() => undefined)
  if (client === undefined || !isRegistered(client, grant.redirectUri)) {
    throw new InvalidGrant('The code was issued to another application')
  }
  if (request.redirectUri !== undefined && request.redirectUri !== grant.redirectUri) {
    throw new InvalidGrant('redirect_uri differs from that of the authorisation')
  }
  const challenge = createHash('sha256').update(request.verifier, 'utf8').digest('base64url')
  if (challenge !== grant.codeChallenge) throw new InvalidGrant('code_verifier does not match')
  return renew(services, parsed.selector, isNull(agentGrants.refreshHash))
}

/**
 * Exchanges a refresh token for new tokens, once. One that was replaced before ends the grant.
 *
 * @throws {InvalidGrant}
 */
export async function refreshTokens(services: GrantServices, token: string): Promise<AgentTokens> {
  const parsed = parseSessionToken(token)
  const grant = parsed === undefined ? undefined : await findGrant(services, parsed.selector)
  if (parsed === undefined || grant === undefined || grant.refreshHash === null) {
    throw new InvalidGrant('The refresh token is unknown or has expired')
  }
  if (!sameHash(grant.refreshHash, parsed.secretHash)) {
    await deleteGrant(services, parsed.selector)
    throw new InvalidGrant('The refresh token was used before; the application is disconnected')
  }
  return renew(services, parsed.selector, eq(agentGrants.refreshHash, parsed.secretHash))
}

/** Ends the grant of a refresh token; nothing happens for anything else. */
export async function revokeToken(services: GrantServices, token: string): Promise<void> {
  const parsed = parseSessionToken(token)
  const grant = parsed === undefined ? undefined : await findGrant(services, parsed.selector)
  if (parsed === undefined || grant === undefined || grant.refreshHash === null) return
  if (sameHash(grant.refreshHash, parsed.secretHash)) await deleteGrant(services, parsed.selector)
}

/** The account behind an access token of a grant that still stands; undefined for any other text. */
export async function verifyAgentToken(services: GrantServices, token: string): Promise<Address | undefined> {
  const { config, clock } = services
  let grant: string
  let address: Address | undefined
  try {
    const { payload } = await jwtVerify<{ grant: string }>(token, config.chainTokenKey, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: config.siteOrigin,
      audience: agentResource(config),
      currentDate: clock(),
      maxTokenAge: ACCESS_SECONDS,
      requiredClaims: ['iss', 'aud', 'sub', 'iat', 'exp', 'jti', 'grant'],
    })
    grant = payload.grant
    address = parseAddress(payload.sub ?? '')
  } catch {
    return undefined
  }
  return (await findGrant(services, grant))?.address === address ? address : undefined
}

/** Applications connected to the signed-in account, newest first. @throws Failure('unauthenticated'), Failure('forbidden') */
export async function listApplications(ctx: Context, account: Address): Promise<readonly AgentGrant[]> {
  const address = requireOwner(ctx, account)
  const rows = await ctx.db.orm
    .select()
    .from(agentGrants)
    .where(
      and(
        eq(agentGrants.address, address),
        isNotNull(agentGrants.refreshHash),
        gt(agentGrants.expiresAt, ctx.clock()),
      ),
    )
    .orderBy(desc(agentGrants.createdAt))
    .limit(MAX_GRANTS)
  return rows.map(({ selector: id, clientName, redirectUri, createdAt, usedAt, expiresAt }) => ({
    id,
    clientName,
    redirectUri,
    createdAt,
    usedAt,
    expiresAt,
  }))
}

/** Disconnects an application at once; nothing happens when there is none. @throws Failure('unauthenticated'), Failure('forbidden') */
export async function disconnectGrant(
  ctx: Context,
  { account, id }: { readonly account: Address; readonly id: string },
): Promise<void> {
  const address = requireOwner(ctx, account)
  await ctx.db.orm
    .delete(agentGrants)
    .where(and(eq(agentGrants.selector, id), eq(agentGrants.address, address)))
}

/** Replaces the refresh token where `condition` still holds, so that of two concurrent requests one succeeds. */
async function renew(
  services: GrantServices,
  selector: SessionToken['selector'],
  condition: ReturnType<typeof eq>,
): Promise<AgentTokens> {
  const now = services.clock()
  const { token, secretHash } = makeSessionToken(selector)
  const [grant] = await services.db.orm
    .update(agentGrants)
    .set({ refreshHash: secretHash, usedAt: now, expiresAt: secondsAfter(now, REFRESH_SECONDS) })
    .where(and(eq(agentGrants.selector, selector), condition))
    .returning({ address: agentGrants.address })
  if (grant === undefined) throw new InvalidGrant('It was used by another request in the same moment')
  const issued = Math.floor(now.getTime() / 1000)
  const accessToken = await new SignJWT({ grant: selector })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setIssuer(services.config.siteOrigin)
    .setAudience(agentResource(services.config))
    .setSubject(bareAddress(grant.address as Address))
    .setIssuedAt(issued)
    .setExpirationTime(issued + ACCESS_SECONDS)
    .setJti(randomUUID())
    .sign(services.config.chainTokenKey)
  return { accessToken, refreshToken: token }
}

/** The grant, unless it has expired or its account is not active. */
async function findGrant({ db, clock }: GrantServices, selector: string) {
  const [row] = await db.orm
    .select({
      address: agentGrants.address,
      redirectUri: agentGrants.redirectUri,
      codeHash: agentGrants.codeHash,
      codeChallenge: agentGrants.codeChallenge,
      refreshHash: agentGrants.refreshHash,
    })
    .from(agentGrants)
    .innerJoin(users, and(eq(users.address, agentGrants.address), eq(users.status, 'active')))
    .where(and(eq(agentGrants.selector, selector), gt(agentGrants.expiresAt, clock())))
  return row
}

async function deleteGrant({ db }: GrantServices, selector: string): Promise<void> {
  await db.orm.delete(agentGrants).where(eq(agentGrants.selector, selector))
}

function secondsAfter(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1000)
}
