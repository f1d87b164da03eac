import type { Status } from '../../status/read-status.ts'

/** The status as `/status.json` spells it: like the APIs, in snake case, times in Unix milliseconds. */
export function encodeStatus({ checkedAtMs, degraded, feed }: Status) {
  return {
    status: degraded.length === 0 ? 'healthy' : 'degraded',
    checked_at_ms: checkedAtMs,
    degraded: degraded.map(({ code, sentence, fix }) => ({ code, sentence, fix })),
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
  }
}
