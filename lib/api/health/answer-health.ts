import { createHash, timingSafeEqual } from 'node:crypto'
import { ConfigError } from '../../config.ts'
import type { Reading } from '../../metrics/reading.ts'
import { type MetricsServices, renderMetrics } from '../../metrics/render-metrics.ts'
import { checkReadiness, UNCONFIGURED } from '../../status/check-readiness.ts'
import { readStatus } from '../../status/read-status.ts'
import { encodeStatus } from './encode-status.ts'

/** What the pages below need of a process. */
export interface HealthSource {
  /** May fail, for instance on a bad configuration; the answers then say so. */
  services(): Promise<MetricsServices>
  /** Adds what only this program can tell to `/metrics`. */
  readonly readMore?: (reading: Reading) => void
}

/** Pages for machines that watch over a process, by path. */
const pages: ReadonlyMap<string, (source: HealthSource, asked: AskedForHealth) => Promise<Response>> =
  new Map([
    ['/healthz', answerHealthz],
    ['/readyz', answerReadyz],
    ['/metrics', answerMetrics],
    ['/status.json', answerStatus],
  ])

/** What of a request the pages look at. */
export interface AskedForHealth {
  readonly method: string
  /** The header `Authorization`, if any. */
  readonly authorization: string | null
}

export function askedBy({ method, headers }: Request): AskedForHealth {
  return { method, authorization: headers.get('authorization') }
}

/**
 * Answers `/healthz`, `/readyz`, `/metrics` and `/status.json`, of the site and of the worker alike. Never throws.
 */
export async function answerHealth(
  path: string,
  asked: AskedForHealth,
  source: HealthSource,
): Promise<Response> {
  const { method } = asked
  const page = pages.get(path)
  if (page === undefined) return new Response(null, { status: 404 })
  if (method !== 'GET' && method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } })
  }
  const response = await page(source, asked)
  if (method === 'GET') return response
  const headers = new Headers(response.headers)
  headers.delete('Content-Type')
  return new Response(null, { status: response.status, headers })
}

/** Looks at nothing: that it answers means that the process lives and its event loop turns. */
async function answerHealthz(): Promise<Response> {
  return json(200, { status: 'ok' }, 'no-store')
}

async function answerReadyz(source: HealthSource): Promise<Response> {
  const services = await made(source)
  const readiness = services === undefined ? UNCONFIGURED : await checkReadiness(services)
  return json(readiness.ready ? 200 : 503, readiness, 'no-store')
}

async function answerMetrics(source: HealthSource, { authorization }: AskedForHealth): Promise<Response> {
  const services = await made(source)
  const token = services?.config.metricsToken
  if (token !== undefined && !isSame(authorization, `Bearer ${token}`)) {
    const headers = { 'WWW-Authenticate': 'Bearer realm="metrics"', 'Cache-Control': 'no-store' }
    return new Response('The metrics of this server take its METRICS_TOKEN as a bearer token\n', {
      status: 401,
      headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' },
    })
  }
  const { contentType, text } = await renderMetrics(services, source.readMore)
  return new Response(text, { headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' } })
}

async function answerStatus(source: HealthSource): Promise<Response> {
  const services = await made(source)
  if (services === undefined) return json(503, { status: 'unavailable' }, 'no-store')
  const status = await readStatus(services)
  // Without the database there is nothing to tell but that; everything else is an answer, good or bad.
  const response =
    status.pendingMigrations === null
      ? json(503, encodeStatus(status), 'no-store')
      : json(200, encodeStatus(status), 'public, max-age=1')
  response.headers.set('Access-Control-Allow-Origin', '*')
  // `/status` itself answers with this document or with the page.
  response.headers.set('Vary', 'Accept')
  return response
}

/** Takes as long whatever is sent. */
function isSame(sent: string | null, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(sent ?? ''), digest(wanted))
}

async function made(source: HealthSource): Promise<MetricsServices | undefined> {
  try {
    return await source.services()
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error)
    return undefined
  }
}

function json(status: number, body: object, cache: string): Response {
  return Response.json(body, {
    status,
    headers: { 'Cache-Control': cache, 'X-Content-Type-Options': 'nosniff' },
  })
}
