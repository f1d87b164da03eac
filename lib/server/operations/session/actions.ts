import { z } from 'zod'
import type { Context } from '#lib/core/context/context.ts'
import { type DescribedChain, describeChain } from '#lib/core/context/describe-chain.ts'
import { chainLogin } from '#lib/core/identity/chain-login.ts'
import { replaceSession, signOut, signOutOthers } from '#lib/core/identity/sessions.ts'
import { signIn } from '#lib/core/identity/sign-in.ts'
import { readSiteSession, type SiteCookie, type SiteSession } from '#lib/core/identity/site-session.ts'
import { countNewNotices } from '#lib/core/people/notices.ts'
import { namesOf } from '#lib/core/people/users.ts'
import { checksumAddress } from '#lib/protocol/address.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { readText, requireJsonType } from '../../http/body.ts'
import { readJson } from '../../http/json.ts'
import { validate } from '../../http/validate.ts'
import { fromWebRequest } from '../../http/web-adapter.ts'

/** A request of one of our own pages, with the cookie it came with. */
export interface Call {
  readonly ctx: Context
  readonly request: Request
  /** Saving or destroying it writes the response's header. */
  readonly cookie: SiteCookie
  /** Undefined for visitors, and for a cookie whose session has ended. */
  readonly session: SiteSession | undefined
}

export interface SessionReply {
  readonly status: number
  /** Written as JSON. */
  readonly body?: unknown
}

export type SessionAction = (call: Call) => Promise<SessionReply>

const MAX_BODY_BYTES = 16 * 1024

const signedMessage = z.strictObject({ message: z.string().max(4096), signature: z.string().max(8194) })

/** GET /session: the session of the cookie; `{session: null}` for visitors. */
export const whoAmI: SessionAction = async ({ ctx, session }) => ({
  status: 200,
  body: await describe(ctx, session),
})

/**
 * POST /session: trades a signed challenge of the services API for the cookie. A session before it ends once the new
 * cookie is stored.
 */
export const signInWithCookie: SessionAction = async (call) => {
  const { ctx, cookie, session } = call
  const { token } = await signIn(ctx, await readSigned(call))
  cookie.token = token
  delete cookie.chainToken
  await cookie.save()
  if (session !== undefined) await replaceSession(ctx)
  return { status: 200, body: await describe(ctx, await readSiteSession(ctx, cookie)) }
}

/** POST /session/chain: exchanges a signed nonce of the chain API for its access token, stored in the same cookie. */
export const chainSignIn: SessionAction = async (call) => {
  const { ctx, cookie, session } = call
  if (session === undefined) throw new Failure('unauthenticated', 'Sign in first')
  const signed = await readSigned(call)
  const { accessToken } = await chainLogin(ctx, { address: session.address, ...signed })
  cookie.chainToken = accessToken
  await cookie.save()
  return { status: 200, body: await describe(ctx, await readSiteSession(ctx, cookie)) }
}

/** DELETE /session: ends the session and takes the cookie away; fine without one. */
export const signOutOfSite: SessionAction = async ({ ctx, cookie, session }) => {
  if (session !== undefined) await signOut(ctx)
  cookie.destroy()
  return { status: 204 }
}

/** DELETE /session/others: ends the person's sessions everywhere else. */
export const signOutElsewhere: SessionAction = async ({ ctx }) => {
  await signOutOthers(ctx)
  return { status: 204 }
}

async function readSigned({ request }: Call): Promise<z.output<typeof signedMessage>> {
  requireJsonType(request.headers.get('content-type'))
  return validate(signedMessage, readJson(await readText(fromWebRequest(request), MAX_BODY_BYTES)), 'body')
}

/** The session of the site's cookie; null without one. */
export type SessionAnswer = Awaited<ReturnType<typeof describe>>['session']

async function describe(ctx: Context, session: SiteSession | undefined) {
  if (session === undefined) return { session: null }
  const [names, notices] = await Promise.all([
    namesOf(ctx, [session.address]),
    countNewNotices(ctx, session.address),
  ])
  return {
    session: {
      address: checksumAddress(session.address),
      /** The account's display name; null without one. */
      name: names.get(session.address) ?? null,
      roles: session.roles,
      /** New ones. */
      notices,
      expires_at: session.expiresAt.toISOString(),
      /** When the access to the chain API ends; null when it takes a signature to have it. */
      chain_expires_at: session.chain?.expiresAt.toISOString() ?? null,
    },
  }
}

/**
 * GET /session/network: the facts that a page needs to talk to wallets. `chain` is null while no chain is configured or its
 * node does not answer: signing in works all the same.
 */
export const describeNetwork: SessionAction = async ({ ctx }) => ({ status: 200, body: await networkOf(ctx) })

/** The site and its chain, as wallets need them. */
export type NetworkAnswer = Awaited<ReturnType<typeof networkOf>>

async function networkOf(ctx: Context) {
  const { config } = ctx
  const chain = await reachable(ctx)
  return {
    /** The one origin that sign-in messages name by default. */
    site_origin: config.siteOrigin,
    chain: chain === undefined ? null : chainWire(chain),
    /** Chains that sign-in messages may name. */
    chain_ids: config.allowedChainIds,
    /** Whether publication is possible. */
    publication: config.publicationEnabled && ctx.chain !== undefined,
    /** The project's id at WalletConnect; null without one. */
    wallet_connect: config.walletConnectProjectId ?? null,
    /** Whether the operator pays for publications, within budgets. */
    sponsored: config.sponsor.key !== undefined,
    /** Service that pays for batches (ERC-7677), for wallets that take one. */
    paymaster: config.paymasterUrl ?? null,
    /** Whether large bundles of Worlds go to the bucket itself. */
    bundles_by_address: config.uploadsByAddress,
  }
}

async function reachable(ctx: Parameters<typeof describeChain>[0]): Promise<DescribedChain | undefined> {
  try {
    return await describeChain(ctx)
  } catch (error) {
    if (error instanceof Failure && error.code === 'chain_unavailable') return undefined
    throw error
  }
}

function chainWire({ rpcUrl, explorerUrl, passkeyFactory, ...facts }: DescribedChain) {
  return {
    ...facts,
    rpc_url: rpcUrl ?? null,
    explorer_url: explorerUrl ?? null,
    /** Contract that creates accounts of passkeys; null where the chain lacks it. */
    passkey_factory: passkeyFactory ?? null,
  }
}
