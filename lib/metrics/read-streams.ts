import type { Services } from '../context.ts'
import type { Reading } from './reading.ts'

/** The streams of this process: how many are open, and whether they hear of anything new. */
export const readStreams = (reading: Reading, { tailer }: Pick<Services, 'tailer'>): void => {
  const { readers, cut, listening } = tailer.status()
  reading.gauge('weft_streams_open', 'Open event streams', readers)
  reading.total('weft_streams_cut_total', 'Event streams ended because their reader was too slow', cut)
  reading.gauge(
    'weft_streams_listening',
    'Whether new events are being heard of; 0 also before the first stream',
    listening ? 1 : 0,
  )
}
