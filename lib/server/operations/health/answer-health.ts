import { ConfigError } from '#lib/platform/config.ts'
import { isSameSecret } from '../../http/secrets.ts'
import type { Reading } from '../../metrics/reading.ts'
import { type MetricsServices, renderMetrics } from '../../metrics/render-metrics.ts'
import { checkReadiness, UNCONFIGURED } from '../../status/check-readiness.ts'
import { readStatus, type Status } from '../../status/read-status.ts'

/** The process behind the endpoints below. */
export interface HealthSource {
  /** May reject, for instance on a bad configuration; the endpoints then report it. */
  services(): Promise<MetricsServices>
  /** Adds the metrics of this program alone to `/metrics`. */
  readonly readMore?: (reading: Reading) => void
}

/** Handlers by path. */
const endpoints: ReadonlyMap<string, (source: HealthSource, request: HealthRequest) => Promise<Response>> =
  new Map([
    ['/healthz', answerHealthz],
    ['/readyz', answerReadyz],
    ['/metrics', answerMetrics],
    ['/status.json', answerStatus],
  ])

/** The parts of a request that the endpoints read. */
export interface HealthRequest {
  readonly method: string
  /** The header `Authorization`, if any. */
  readonly authorization: string | null
}

export function healthRequestOf({ method, headers }: Request): HealthRequest {
  return { method, authorization: headers.get('authorization') }
}

/** Answers `/healthz`, `/readyz`, `/metrics` and `/status.json`, of the site and of the worker alike. Never throws. */
export async function answerHealth(
  path: string,
  request: HealthRequest,
  source: HealthSource,
): Promise<Response> {
  const { method } = request
  const endpoint = endpoints.get(path)
  if (endpoint === undefined) return new Response(null, { status: 404 })
  if (method !== 'GET' && method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } })
  }
  const response = await endpoint(source, request)
  if (method === 'GET') return response
  const headers = new Headers(response.headers)
  headers.delete('Content-Type')
  return new Response(null, { status: response.status, headers })
}

/** Checks nothing: a response means that the process is alive and its event loop turns. */
async function answerHealthz(): Promise<Response> {
  return json(200, { status: 'ok' }, 'no-store')
}

async function answerReadyz(source: HealthSource): Promise<Response> {
  const services = await made(source)
  const readiness = services === undefined ? UNCONFIGURED : await checkReadiness(services)
  return json(readiness.ready ? 200 : 503, readiness, 'no-store')
}

async function answerMetrics(source: HealthSource, { authorization }: HealthRequest): Promise<Response> {
  const services = await made(source)
  const token = services?.config.metricsToken
  if (token !== undefined && !isSameSecret(authorization, `Bearer ${token}`)) {
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
  const body = encodeStatus(status)
  // Only a missing database is an error; every other status, good or bad, is a 200.
  const response =
    status.pendingMigrations === null ? json(503, body, 'no-store') : json(200, body, 'public, max-age=1')
  response.headers.set('Access-Control-Allow-Origin', '*')
  // `/status` itself answers with this document or with the page.
  response.headers.set('Vary', 'Accept')
  return response
}

async function made(
  source: HealthSource,
): Promise<Awaited<ReturnType<HealthSource['services']>> | undefined> {
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

/** The status as `/status.json` spells it: like the APIs, in snake case, times in Unix milliseconds. */
function encodeStatus({ checkedAtMs, degraded, feed, nodes, sponsor }: Status) {
  return {
    status: degraded.length === 0 ? 'healthy' : 'degraded',
    checked_at_ms: checkedAtMs,
    degraded: degraded.map(({ code, sentence, fix }) => ({ code, sentence, fix })),
    // Amounts are decimal texts, in wei: they outgrow JSON's numbers.
    sponsor: sponsor && {
      budget: String(sponsor.budget),
      spent: String(sponsor.spent),
      reserved: String(sponsor.reserved),
      publications: sponsor.publications,
      transactions: sponsor.transactions,
      reverted: sponsor.reverted,
    },
    feed: feed && {
      chain_id: feed.chainId,
      head: feed.head,
      processed: feed.processed,
      safe: feed.safe,
      finalized: feed.finalized,
      lag_blocks: feed.lagBlocks,
      lag_seconds: feed.lagSeconds,
      writer: feed.writer && {
        instance: feed.writer.instance,
        since_ms: feed.writer.sinceMs,
        heartbeat_ago_ms: feed.writer.heartbeatAgoMs,
      },
      standbys: feed.standbys,
      reorganisations: {
        count: feed.reorganisations.count,
        deepest: feed.reorganisations.deepest,
        last: feed.reorganisations.last && {
          depth: feed.reorganisations.last.depth,
          at_ms: feed.reorganisations.last.atMs,
        },
      },
      last_stream_seq: feed.lastStreamSeq,
      oldest_stream_seq: feed.oldestStreamSeq,
    },
    nodes: nodes.map((node) => ({
      state: node.state,
      preferred: node.preferred,
      head: node.head ?? null,
      since_ms: node.sinceMs ?? null,
      words: node.words ?? null,
      client: node.client ?? null,
      batch_size: node.batchSize ?? null,
      log_range: node.logRange ?? null,
      state_blocks: node.stateBlocks ?? null,
      new_heads: node.newHeads ?? null,
      sentences: node.sentences,
    })),
  }
}
