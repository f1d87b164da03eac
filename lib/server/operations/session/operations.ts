import { z } from 'zod'
import type { Context } from '#lib/core/context/context.ts'
import { type DescribedChain, describeChain } from '#lib/core/context/describe-chain.ts'
import { type LiveSession, replaceSession, signOut, signOutOthers } from '#lib/core/identity/sessions.ts'
import { signIn } from '#lib/core/identity/sign-in.ts'
import { openSiteCookie, readSiteSession, type SiteCookie } from '#lib/core/identity/site-session.ts'
import { countNewNotices } from '#lib/core/people/notices.ts'
import { namesOf } from '#lib/core/people/users.ts'
import { checksumAddress } from '#lib/protocol/address.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { defineOperation, type Operation } from '../../http/operation.ts'

const signedMessage = z.strictObject({ message: z.string().max(4096), signature: z.string().max(8194) })

const FACTS = { api: 'site', tag: 'session', cors: 'none', cache: 'no-store' } as const
const COOKIE = z.object({ cookie: z.string().optional() })
const SIGNED = { headers: COOKIE, body: signedMessage, maxBodyBytes: 16 * 1024 }
const EMPTY = { 204: { description: 'Done' } }
const sessionAnswer = z.strictObject({ session: z.looseObject({ address: z.string() }).nullable() })
const SESSION = { 200: { description: 'The session; null for visitors', schema: sessionAnswer } }

const getSession = defineOperation({
  ...FACTS,
  id: 'GET_session',
  path: '/session',
  summary: 'Read the session',
  description: 'Of the cookie, which it leaves as it is.',
  auth: 'none',
  request: { headers: COOKIE },
  responses: SESSION,
  handler: async (ctx, { headers }) => {
    const { cookie } = await openCookie(ctx, headers)
    return { body: await describe(ctx, await readSiteSession(ctx, cookie)) }
  },
})

const postSession = defineOperation({
  ...FACTS,
  id: 'POST_session',
  path: '/session',
  summary: 'Sign in',
  description:
    'Trades a signed challenge of the services API for the cookie. A session before it ends once the new cookie is stored.',
  auth: 'none',
  // What takes a signature is costly, as on the two APIs.
  limit: 'signIn',
  request: SIGNED,
  responses: SESSION,
  handler: async (ctx, { headers, body }) => {
    const { cookie, save } = await openCookie(ctx, headers)
    const before = await readSiteSession(ctx, cookie)
    const { token } = await signIn(ctx, body)
    cookie.token = token
    const answer = { body: await describe(ctx, await readSiteSession(ctx, cookie)), headers: await save() }
    if (before !== undefined) await replaceSession({ ...ctx, session: before })
    return answer
  },
})

const deleteSession = defineOperation({
  ...FACTS,
  id: 'DELETE_session',
  path: '/session',
  summary: 'Sign out',
  description: 'Ends the session and takes the cookie away; fine without one.',
  auth: 'optional',
  request: { headers: COOKIE },
  responses: EMPTY,
  handler: async (ctx, { headers }) => {
    const { destroy } = await openCookie(ctx, headers)
    if (ctx.session !== undefined) await signOut(ctx)
    return { headers: destroy() }
  },
})

const deleteOtherSessions = defineOperation({
  ...FACTS,
  id: 'DELETE_otherSessions',
  path: '/session/others',
  summary: 'Sign out everywhere else',
  description: "Ends the account's other sessions.",
  auth: 'session',
  request: {},
  responses: EMPTY,
  handler: async (ctx) => signOutOthers(ctx),
})

const getNetwork = defineOperation({
  ...FACTS,
  id: 'GET_sessionNetwork',
  path: '/session/network',
  summary: 'Read what a page needs to talk to wallets',
  description:
    '`chain` is null while no chain is configured or its node does not answer: signing in works all the same.',
  auth: 'none',
  request: {},
  responses: { 200: { description: 'The site and its chain', schema: z.looseObject({}) } },
  handler: async (ctx) => ({ body: await networkOf(ctx) }),
})

/** The session of our own site: the same verbs as the APIs', with the token in a sealed cookie that no script can read. */
export const sessionOperations: readonly Operation[] = [
  getSession,
  postSession,
  deleteSession,
  deleteOtherSessions,
  getNetwork,
]

interface OpenCookie {
  readonly cookie: SiteCookie
  /** Return the header that stores the cookie, or that takes it away. */
  readonly save: () => Promise<Record<string, string>>
  readonly destroy: () => Record<string, string>
}

async function openCookie(
  { config }: Context,
  headers: { readonly cookie?: string | undefined },
): Promise<OpenCookie> {
  const set = new Headers()
  const cookie = await openSiteCookie(config, headers.cookie ?? null, set)
  const cookieHeader = () => ({ 'Set-Cookie': set.getSetCookie().join() })
  return {
    cookie,
    save: async () => {
      await cookie.save()
      return cookieHeader()
    },
    destroy: () => {
      cookie.destroy()
      return cookieHeader()
    },
  }
}

/** The session of the site's cookie; null without one. */
export type SessionAnswer = Awaited<ReturnType<typeof describe>>['session']

async function describe(ctx: Context, session: LiveSession | undefined) {
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
    },
  }
}

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
