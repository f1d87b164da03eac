import type { Status } from '../status/read-status.ts'
import type { Reading } from './reading.ts'

/** The feed as the tables and the node have it, and whether anything is degraded. */
export const readFeed = (reading: Reading, { feed, degraded }: Status): void => {
  reading.gauge(
    'weft_degraded',
    'Reasons why the service is degraded, as /status.json lists them; no series when all is well',
    degraded.map(({ code }) => ({ labels: { code }, value: 1 })),
  )
  reading.gauge(
    'weft_feed_block',
    'Block heights: of the node (head), of the tables (processed), and finality',
    (['head', 'processed', 'safe', 'finalized'] as const).map((height) => ({
      labels: { height },
      value: feed?.[height],
    })),
  )
  reading.gauge('weft_feed_lag_blocks', 'Blocks of the node that are not in the tables', feed?.lagBlocks)
  reading.gauge(
    'weft_feed_lag_seconds',
    'Age of the oldest block that is not in the tables; 0 when there is none',
    feed?.lagSeconds,
  )
  reading.gauge(
    'weft_feed_workers',
    'Living workers by role',
    feed && [
      { labels: { role: 'writer' }, value: feed.writer ? 1 : 0 },
      { labels: { role: 'standby' }, value: feed.standbys },
    ],
  )
  reading.total(
    'weft_feed_reorganisations_total',
    'Reorganisations taken back since the database was filled',
    feed?.reorganisations.count,
  )
  reading.gauge(
    'weft_feed_reorganisation_depth_max',
    'Blocks of the deepest reorganisation taken back',
    feed?.reorganisations.deepest,
  )
  reading.gauge('weft_feed_stream_seq', 'Number of the newest delta', feed?.lastStreamSeq)
  reading.gauge('weft_feed_stream_seq_oldest', 'Number of the oldest delta still kept', feed?.oldestStreamSeq)
}
