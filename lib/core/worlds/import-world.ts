import type { IncomingMessage } from 'node:http'
import { BUNDLE_LIMITS } from '#lib/compute/bundle/limits.ts'
import { mib } from '#lib/compute/bundle/read-files.ts'
import type { Context } from '#lib/core/context/context.ts'
import { requireSession } from '#lib/core/identity/authorise.ts'
import { readSome, sendPublic } from '#lib/platform/outbound/public-request.ts'
import { RefusedTarget } from '#lib/platform/outbound/target.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { publishBundle } from './publish-world.ts'
import { addVersion, requireMayReplace } from './replace-world.ts'
import { withBundle } from './store-bundle.ts'
import { isBundleHash, type World } from './world.ts'
import { findVersion } from './world-versions.ts'

export interface ImportRequest {
  /** 64 lower-case hex digits. */
  readonly bundleHash: string
  /** Origin of the other site. */
  readonly from: string
}

/** Milliseconds for the whole bundle. */
const TIMEOUT_MS = 60_000

/**
 * Imports a bundle from another site by its hash, which is computed again from the files. Where its World is here, in
 * another version, the bundle becomes an earlier version of it, for its owner and administrators; else a new World of the
 * caller, as by an upload.
 *
 * @throws Failure('unauthenticated'), Failure('forbidden') for a World of another account, Failure('invalid_request') for
 *   an address that is not public, for a site that has no such bundle or sends another one, and for an invalid one,
 *   Failure('payload_too_large'), Failure('conflict'), Failure('too_many'), Failure('overloaded'),
 *   Failure('storage_full'), Failure('storage_unavailable').
 */
export async function importWorld(ctx: Context, input: ImportRequest): Promise<World> {
  const { bundleHash } = input
  const session = requireSession(ctx)
  if (!isBundleHash(bundleHash)) {
    throw new Failure('invalid_request', 'The hash of a bundle has 64 lower-case hex digits')
  }
  const here = await findVersion(ctx, bundleHash)
  if (here?.found === 'version') return here.world
  if (here?.found === 'newest') requireMayReplace(session, here.world.owner)
  const reservation = ctx.memory.reserve(ctx.principal, 'uploads')
  try {
    const zip = await fetchBundle(ctx, input, (bytes) => reservation.add(bytes))
    return await withBundle(ctx, zip, async (bundle) => {
      if (bundle.bundleHash !== bundleHash) {
        throw new Failure(
          'invalid_request',
          `The other site sent another bundle, with the hash ${bundle.bundleHash}`,
        )
      }
      return (await addVersion(ctx, bundle)) ?? (await publishBundle(ctx, bundle))
    })
  } finally {
    reservation.release()
  }
}

/** Reads the ZIP, whose bytes `reserve` counts as those of an upload. */
async function fetchBundle(
  ctx: Context,
  { bundleHash, from }: ImportRequest,
  reserve: (bytes: number) => void,
): Promise<Uint8Array> {
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(TIMEOUT_MS)])
  let response: IncomingMessage | undefined
  try {
    response = await request(ctx, bundleHash, from, signal)
    const size = announcedSize(response, from)
    reserve(size)
    const zip = await readSome(response, size, signal)
    if (zip.byteLength !== size) throw unreadable(from, 'did not send the whole bundle')
    return zip
  } catch (error) {
    if (error instanceof Failure || ctx.signal.aborted) throw error
    if (error instanceof RefusedTarget) throw new Failure('invalid_request', error.message)
    throw unreadable(from, 'does not answer', error)
  } finally {
    response?.destroy()
  }
}

function request({ config }: Context, bundleHash: string, from: string, signal: AbortSignal) {
  const url = URL.parse(from)
  if (url === null || `${url.origin}/` !== url.href) {
    throw new Failure('invalid_request', 'The address of a site is its origin: https://weft.example')
  }
  const headers = { 'user-agent': 'Weft-Import/1', accept: 'application/zip', 'accept-encoding': 'identity' }
  const policy = { allowLoopback: config.webhooksAllowLoopback }
  const target = `${url.origin}/services/world-bundles/${bundleHash}`
  return sendPublic(target, { method: 'GET', headers }, policy, signal)
}

function announcedSize({ statusCode, headers }: IncomingMessage, from: string): number {
  if (statusCode !== 200) throw unreadable(from, `has no such bundle (${statusCode})`)
  const size = Number(headers['content-length'])
  if (!Number.isSafeInteger(size) || size <= 0)
    throw unreadable(from, 'does not announce the size of the bundle')
  if (size > BUNDLE_LIMITS.upload) {
    throw new Failure('payload_too_large', `The bundle is larger than ${mib(BUNDLE_LIMITS.upload)}`)
  }
  return size
}

function unreadable(from: string, what: string, cause?: unknown): Failure {
  return new Failure('invalid_request', `The site at ${JSON.stringify(from)} ${what}`, {}, { cause })
}
