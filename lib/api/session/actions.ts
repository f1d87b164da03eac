import { z } from 'zod'
import { checksumAddress } from '../../domain/address.ts'
import { Failure } from '../../domain/failure.ts'
import { readText, requireJsonType } from '../../http/body.ts'
import { readJson } from '../../http/json.ts'
import { validate } from '../../http/validate.ts'
import { fromWeb } from '../../http/web.ts'
import { chainLogin } from '../../identity/chain-login.ts'
import { signIn } from '../../identity/sign-in.ts'
import { signOut } from '../../identity/sign-out.ts'
import { signOutOthers } from '../../identity/sign-out-others.ts'
import { readSiteSession, type SiteSession } from '../../identity/site-session.ts'
import type { Call, SessionAction } from './call.ts'

const MAX_BODY_BYTES = 16 * 1024

const signedMessage = z.strictObject({ message: z.string().max(4096), signature: z.string().max(8194) })

/** GET /session: who the cookie stands for; `{session: null}` for visitors. */
export const whoAmI: SessionAction = async ({ cookie, session }) => {
  if (session === undefined && cookie.token !== undefined) cookie.destroy()
  return { status: 200, body: describe(session) }
}

/** POST /session: trades a signed challenge of the services API for the cookie. A session before it ends. */
export const signInWithCookie: SessionAction = async (call) => {
  const { ctx, cookie, session } = call
  const { token } = await signIn(ctx, await readSigned(call))
  if (session !== undefined) await signOut(ctx)
  cookie.token = token
  delete cookie.chainToken
  await cookie.save()
  return { status: 200, body: describe(await readSiteSession(ctx, cookie)) }
}

/** POST /session/chain: trades a signed nonce of the chain API for its access token, kept in the same cookie. */
export const chainSignIn: SessionAction = async (call) => {
  const { ctx, cookie, session } = call
  if (session === undefined) throw new Failure('unauthenticated', 'Sign in first')
  const signed = await readSigned(call)
  const { accessToken } = await chainLogin(ctx, { address: session.address, ...signed })
  cookie.chainToken = accessToken
  await cookie.save()
  return { status: 200, body: describe(await readSiteSession(ctx, cookie)) }
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
  return validate(signedMessage, readJson(await readText(fromWeb(request), MAX_BODY_BYTES)), 'body')
}

function describe(session: SiteSession | undefined) {
  if (session === undefined) return { session: null }
  return {
    session: {
      address: checksumAddress(session.address),
      roles: session.roles,
      expires_at: session.expiresAt.toISOString(),
      /** When the access to the chain API ends; null when it takes a signature to have it. */
      chain_expires_at: session.chain?.expiresAt.toISOString() ?? null,
    },
  }
}
