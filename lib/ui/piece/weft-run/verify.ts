import { readCertificate } from '../../../engine/proof/certificate.ts'
import { checkFileBy, type Verdict } from '../../../engine/proof/check.ts'
import { computeExactly } from '../../../engine/proof/compute.ts'
import { Refusal } from '../../../engine/proof/refusal.ts'
import { decodeParticles, type ParticleStream } from '../../../protocol/particles.ts'
import { type RunLink, readRunLink, runHref, writeStarts } from '../../../protocol/run-link.ts'

/** What the element shows of a run. */
export interface VerifiedRun extends Verdict {
  /** Absent where there are none, and where they are refuted. */
  readonly streams?: readonly ParticleStream[]
}

const TIMEOUT_MS = 60_000
/** The page stands still meanwhile: well below a second. */
const MAX_STEPS = 8_000_000

/** The run that the address of its page names; undefined for any other address. */
export function runOfAddress(href: string): { readonly site: string; readonly link: RunLink } | undefined {
  if (!URL.canParse(href)) return undefined
  const { protocol, origin, pathname, searchParams } = new URL(href)
  const [, name] = /^\/run\/([A-Za-z0-9_]+)$/.exec(pathname) ?? []
  if (!/^https?:$/.test(protocol) || name === undefined) return undefined
  const read = readRunLink(name, Object.fromEntries(searchParams))
  return read.ok ? { site: origin, link: read.link } : undefined
}

/**
 * Verifies a run by its certificate, in this page and without the engine, which compiles.
 *
 * @param given The certificate itself, or its address; by default the one that the site makes. Never rejects.
 */
export async function verifyRun(
  { site, link }: NonNullable<ReturnType<typeof runOfAddress>>,
  given: string | null,
): Promise<VerifiedRun> {
  try {
    const text = given?.trimStart().startsWith('{')
      ? given
      : await fetched(given === null ? site + runHref({ ...link, block: undefined }, '/certificate') : given)
    const certificate = await readCertificate(text)
    requireSameRun(link, certificate)
    const verdict = await checkFileBy(text, (run) => ({ ...computeExactly(run, MAX_STEPS), by: 'evm' }))
    if (verdict.verdict === 'refuted' || certificate.result === 'revert') return verdict
    return { ...verdict, streams: decodeParticles(certificate.answer) }
  } catch (error) {
    if (error instanceof Refusal) {
      const verdict = error.refuted ? 'refuted' : 'undecided'
      return { verdict, code: error.code, sentence: error.message }
    }
    const why = error instanceof Error ? error.message.slice(0, 200) : 'unknown reason'
    return { verdict: 'undecided', code: 'failed', sentence: `It could not be verified here: ${why}` }
  }
}

async function fetched(address: string): Promise<string> {
  const { host } = new URL(address)
  let response: Response
  let text: string
  try {
    response = await fetch(address, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    text = await response.text()
  } catch {
    throw new Refusal('unreachable', `No certificate came from ${host}, so nothing was verified here.`, false)
  }
  if (response.ok) return text
  const why = text.trim().slice(0, 300) || `status ${response.status}`
  throw new Refusal('unreachable', `No certificate came from ${host}: ${why}`, false)
}

function requireSameRun(
  { connector, count, dynamicRi, block }: RunLink,
  certificate: Awaited<ReturnType<typeof readCertificate>>,
): void {
  const { ranAt } = certificate
  const isSame =
    certificate.connector === connector &&
    certificate.count === count &&
    writeStarts(certificate.starts) === writeStarts(dynamicRi) &&
    (ranAt === null || block === undefined || ranAt.hash === block.hash)
  if (!isSame)
    throw new Refusal('other_run', 'The certificate is of another run than the one that is named here.')
}
