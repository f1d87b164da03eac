import type { Services } from '../context.ts'
import type { DegradedReason } from '../feed/read-status.ts'

/** What turned work away within this time is worth telling. */
const RECENT_SECONDS = 60

type ProcessServices = Pick<Services, 'config'> & Partial<Pick<Services, 'pools' | 'tailer'>>

/** What this process itself turns away, and why. */
export const processReasons = ({ config, pools, tailer }: ProcessServices): DegradedReason[] => {
  const full = POOLS.filter(({ pool }) => {
    const ago = pools?.[pool]()?.refusedAgoSeconds
    return ago !== undefined && ago < RECENT_SECONDS
  })
  const streams = tailer?.status().readers ?? 0
  const reasons: (DegradedReason | false)[] = [
    ...full.map(({ pool, work, prefix }) => ({
      code: `${pool}_full`,
      sentence: `More ${work} were asked for within the last minute than this server works on and lets wait.`,
      fix: `Give it more ${prefix}_THREADS where there are processors for them, or run another site beside it.`,
    })),
    streams >= config.streams.maxReaders && {
      code: 'streams_full',
      sentence: `As many streams of the feed are open as this server allows: ${streams}.`,
      fix: 'Raise MAX_STREAMS, or run another site beside it; readers come back by themselves.',
    },
    !config.publicationEnabled && {
      code: 'publication_disabled',
      sentence:
        'Publication is switched off: everything can be read, drafted and run, and nothing published.',
      fix: 'Set PUBLICATION_ENABLED=true, unless this is on purpose.',
    },
  ]
  return reasons.filter((each) => each !== false)
}

const POOLS = [
  { pool: 'simulate', work: 'simulations', prefix: 'SIMULATE' },
  { pool: 'compile', work: 'compilations', prefix: 'COMPILE' },
  { pool: 'bundleCheck', work: 'checks of bundles', prefix: 'BUNDLE_CHECK' },
] as const
