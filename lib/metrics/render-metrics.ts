import { Registry } from '@prometheus-io/client'
import type { Services } from '../context.ts'
import { readStatus, type StatusServices } from '../status/read-status.ts'
import { processMetrics } from './process-metrics.ts'
import { readDatabase } from './read-database.ts'
import { readEngine } from './read-engine.ts'
import { readFeed } from './read-feed.ts'
import { readPools } from './read-pools.ts'
import { readStreams } from './read-streams.ts'
import { openReading, type Reading } from './reading.ts'

/** What a process can tell about; the worker has neither pools nor streams. */
export type MetricsServices = StatusServices & Partial<Pick<Services, 'pools' | 'engine' | 'tailer'>>

/**
 * Everything this process has to say in the text format of Prometheus. What cannot be read now is left out.
 *
 * @param services Undefined when they could not be made: the process still tells about itself.
 * @param readMore Adds what only the calling program knows.
 */
export const renderMetrics = async (
  services: MetricsServices | undefined,
  readMore?: (reading: Reading) => void,
): Promise<{ readonly contentType: string; readonly text: string }> => {
  const { reading, registry } = openReading()
  if (services !== undefined) {
    const { pools, engine, tailer, config } = services
    if (pools !== undefined) readPools(reading, { pools, config })
    if (engine !== undefined) readEngine(reading, engine())
    if (tailer !== undefined) readStreams(reading, { tailer })
    const [status] = await Promise.all([readStatus(services), readDatabase(reading, services)])
    readFeed(reading, status)
  }
  readMore?.(reading)
  const all = Registry.merge([processMetrics().registry, registry])
  return { contentType: all.contentType, text: await all.metrics() }
}
