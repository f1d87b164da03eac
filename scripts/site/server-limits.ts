import type { ServerOptions } from 'node:http'

/**
 * How long clients of the site may take, in milliseconds: each connection holds memory, which
 * a client that sends a byte a minute would hold for ever.
 */
export const SERVER_LIMITS = {
  /** From the first byte of a request to the end of its headers. */
  headersTimeout: 10_000,
  /** To the end of its body: 25 MiB at two megabits a second. */
  requestTimeout: 120_000,
  /** Longer than the keep-alive of proxies, which is mostly a minute. */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
  /**
   * No other protocol is spoken here; a client that offers one, as some do by default, gets its response. The pages'
   * framework would take such a connection and leave it open, without an answer and past every limit above.
   */
  shouldUpgradeCallback: () => false,
} as const satisfies ServerOptions

/** Milliseconds without a byte in either direction; streams of the feed send keep-alives more often. */
export const IDLE_CONNECTION_MS = 120_000

/** Connections besides those of streams. */
export const SPARE_CONNECTIONS = 4_096

/** Backlog of connections that wait for `accept`: a client beyond it retries only after seconds. */
export const WAITING_CONNECTIONS = 4_096
