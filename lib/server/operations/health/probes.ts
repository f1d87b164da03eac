import { z } from 'zod'
import type { Services } from '#lib/core/context/context.ts'
import { ConfigError } from '#lib/platform/config.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { createDispatcher, type Dispatcher } from '../../http/dispatch.ts'
import { defineProbe, type Operation } from '../../http/operation.ts'
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

const FACTS = { api: 'site', tag: 'health', auth: 'none', cors: 'none' } as const
const AUTHORIZATION = z.object({ authorization: z.string().optional() })
const document = z.looseObject({})

/** Reports on a process, by GET and by HEAD. */
function probesOf(source: HealthSource): readonly Operation[] {
  const probes = [
    defineProbe({
      ...FACTS,
      id: 'GET_healthz',
      path: '/healthz',
      summary: 'Whether the process is alive',
      description: 'Checks nothing: a response means that the process is alive and its event loop turns.',
      request: {},
      responses: { 200: { description: 'Alive', schema: document } },
      cache: 'no-store',
      probe: async () => ({ body: { status: 'ok' } }),
    }),
    defineProbe({
      ...FACTS,
      id: 'GET_readyz',
      path: '/readyz',
      summary: 'Whether the process should receive requests',
      description: 'Each check with what it found.',
      request: {},
      responses: {
        200: { description: 'Ready', schema: document },
        503: { description: 'Not ready', schema: document },
      },
      cache: 'no-store',
      probe: async () => {
        const services = await servicesOf(source)
        const readiness = services === undefined ? UNCONFIGURED : await checkReadiness(services)
        return { status: readiness.ready ? 200 : 503, body: { ...readiness } }
      },
    }),
    defineProbe({
      ...FACTS,
      id: 'GET_metrics',
      path: '/metrics',
      summary: 'Metrics for Prometheus',
      description: 'For the bearer of METRICS_TOKEN, where it is set.',
      challenge: 'Bearer realm="metrics"',
      request: { headers: AUTHORIZATION },
      responses: { 200: { description: 'The metrics', contentType: 'text/plain' } },
      cache: 'no-store',
      probe: async ({ headers }) => {
        const services = await servicesOf(source)
        const token = services?.config.metricsToken
        if (token !== undefined && !isSameSecret(headers.authorization ?? null, `Bearer ${token}`)) {
          throw new Failure(
            'unauthenticated',
            'The metrics of this server take its METRICS_TOKEN as a bearer token',
          )
        }
        const { contentType, text } = await renderMetrics(services, source.readMore)
        return { body: text, headers: { 'Content-Type': contentType } }
      },
    }),
    defineProbe({
      ...FACTS,
      id: 'GET_status',
      path: '/status.json',
      summary: 'The status of the network and of this site',
      description: 'Only a missing database is an error; every other status, good or bad, is a 200.',
      cors: 'simple',
      request: {},
      responses: {
        200: { description: 'The status', schema: document, headers: BESIDE_A_PAGE },
        503: { description: 'Without its database', schema: document, headers: BESIDE_A_PAGE },
      },
      cache: 'public, max-age=1',
      probe: async () => {
        const services = await servicesOf(source)
        const headers = { Vary: 'Accept' }
        if (services === undefined) return { status: 503, body: { status: 'unavailable' }, headers }
        const status = await readStatus(services)
        return { status: status.pendingMigrations === null ? 503 : 200, body: encodeStatus(status), headers }
      },
    }),
  ]
  return probes.flatMap((probe) => [probe, headOf(probe)])
}

const BESIDE_A_PAGE = { Vary: '`/status` itself answers with this document or with the page' }

function headOf(probe: Operation): Operation {
  const responses = Object.entries(probe.responses).map(
    ([status, { description }]) => [status, { description }] as const,
  )
  const id = probe.id.replace('GET', 'HEAD') as Operation['id']
  return { ...probe, id, method: 'HEAD', responses: Object.fromEntries(responses) }
}

/** Answers `/healthz`, `/readyz`, `/metrics` and `/status.json`, of the site and of the worker alike. */
export function createHealthDispatcher(source: HealthSource): Dispatcher {
  return createDispatcher(probesOf(source), {
    base: '',
    // Probes pass no stage: only the log is read.
    services: () => source.services() as Promise<Services>,
    authenticate: () => Promise.reject(new Error('Probes are of no account')),
    errors: ({ code, message }) =>
      code === 'unauthenticated'
        ? { contentType: 'text/plain; charset=utf-8', text: `${message}\n` }
        : undefined,
  })
}

async function servicesOf(
  source: HealthSource,
): Promise<Awaited<ReturnType<HealthSource['services']>> | undefined> {
  try {
    return await source.services()
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error)
    return undefined
  }
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
