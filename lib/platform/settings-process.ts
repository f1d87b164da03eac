import { z } from 'zod'
import {
  bearer,
  flag,
  fraction,
  headerList,
  integer,
  logLevel,
  origin,
  port,
  postgresUrl,
  receiverUrl,
  text,
} from './config-checks.ts'
import { env } from './setting.ts'

/** Where a process listens, stores and logs, and what it measures. */
export const PROCESS_SETTINGS = {
  /** Interface that the site listens on. */
  host: env('HOST', text(/^[A-Za-z0-9.:-]+$/, 'must be a host name or an IP address').default('127.0.0.1')),
  /** Default: 3000; `npm start` takes the next free port. */
  port: env('PORT', port.optional()),
  /** Least severity of the lines of the log. */
  logLevel: env('LOG_LEVEL', logLevel.default('info')),
  /** Number of own proxies in front of the site, for the client's address. */
  trustedProxies: env('TRUSTED_PROXIES', integer(0, 10).default(0)),

  /** PostgreSQL database. */
  databaseUrl: env('DATABASE_URL', postgresUrl.optional(), { secret: true }),
  /** Folder of the embedded database and chain. */
  dataDir: env('WEFT_DATA_DIR', z.string().default('.weft')),

  // Files of Worlds: an S3-compatible bucket, addressed as <endpoint>/<bucket>/<prefix><hash>. Default: the database.
  bucket: {
    endpoint: env('S3_ENDPOINT', origin.optional()),
    region: env('S3_REGION', text(/^[\w-]+$/, 'must be the name of a region').default('us-east-1')),
    bucket: env(
      'S3_BUCKET',
      text(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket').optional(),
    ),
    /** Prefix of all keys, so that a bucket can be shared. */
    prefix: env(
      'S3_PREFIX',
      text(/^[\w./-]{1,200}$/, 'must be letters, digits, and . _ - /').default('weft/'),
    ),
    accessKeyId: env('S3_ACCESS_KEY_ID', z.string().optional(), { secret: true }),
    secretAccessKey: env('S3_SECRET_ACCESS_KEY', z.string().optional(), { secret: true }),
  },
  /** Whether browsers send large bundles to the bucket themselves. */
  uploadsByAddress: env('UPLOADS_BY_ADDRESS', flag.default(false)),

  /** Bearer token of `/worker/step`, by the name that platforms use. Default: there is no such address. */
  cronSecret: env('CRON_SECRET', bearer.optional(), { secret: true }),
  /** Port of the worker's health and metrics pages. Default: none are served. */
  workerPort: env('WORKER_PORT', port.optional()),

  // Metrics and traces
  /** Bearer token of `/metrics`. Default: public. */
  metricsToken: env('METRICS_TOKEN', bearer.optional(), { secret: true }),
  traces: {
    /** OTLP receiver over HTTP; without one tracing is not loaded. */
    endpoint: env('OTEL_EXPORTER_OTLP_ENDPOINT', receiverUrl.optional(), { secret: true }),
    headers: env('OTEL_EXPORTER_OTLP_HEADERS', headerList.optional(), { secret: true }),
    /** Share of traces that are recorded, from 0 to 1. */
    ratio: env('OTEL_TRACES_SAMPLER_ARG', fraction.default(1)),
  },
}
