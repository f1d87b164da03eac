import { Failure } from '#lib/protocol/failure.ts'
import { overloaded } from '#lib/protocol/overload.ts'
import type { Config } from '../config.ts'
import { FairScheduler } from './fair-scheduler.ts'
import type { UsageLedger } from './usage-ledger.ts'

/** Things that the requests of a process share, besides its threads. */
export interface Places {
  /** Requests in work. They do not wait: more at a time would only make all others slower. */
  readonly requests: FairScheduler
  /** Bodies of requests that arrive. */
  readonly bodies: FairScheduler
  /** Pages being made. */
  readonly renders: FairScheduler
  /** Runs on chain: the node's time. */
  readonly runs: FairScheduler
  /** Large runs on chain, which take memory here. */
  readonly largeRuns: FairScheduler
  /** Certificates being made. */
  readonly certificates: FairScheduler
  /** Bundles of Worlds with the content of their files: of each the most that may be extracted, however small its upload. */
  readonly bundles: FairScheduler
  /** Examples of published bodies. A page of an account has dozens of tiles, which browsers ask for at once. */
  readonly examples: FairScheduler
  /** Open streams of the feed. */
  readonly streams: FairScheduler
}

/** Part of one client where places are many. */
const CLIENT_SHARE = 1 / 16

/** Bodies that arrive at a time; their bytes are bounded by memory. */
const BODIES = 1_024
const [RUNS, LARGE_RUNS, CERTIFICATES, BUNDLES, EXAMPLES] = [32, 2, 2, 4, 2]
/** The pages' framework works on the thread that answers all other requests. */
const RENDERS = 4
/** Seconds of the last minute of that thread that one client may have pages made in; beyond them they wait until that has faded. */
const MAX_RENDER_SECONDS = 12

export function openPlaces(
  ledger: UsageLedger,
  { maxInWork, streams }: Pick<Config, 'maxInWork' | 'streams'>,
): Places {
  const share = (places: number) => Math.max(1, Math.ceil(places * CLIENT_SHARE))
  const { maxReaders, maxOfClient } = streams
  return {
    requests: new FairScheduler({
      ledger,
      places: maxInWork,
      maxPerClient: share(maxInWork),
      refuse: () => overloaded('work'),
    }),
    bodies: new FairScheduler({
      ledger,
      places: BODIES,
      maxPerClient: share(BODIES),
      refuse: () => overloaded('uploads'),
    }),
    renders: new FairScheduler({
      ledger,
      rate: 'renderSeconds',
      isOneThread: true,
      maxUsed: MAX_RENDER_SECONDS,
      places: RENDERS,
      maxQueue: 256,
      refuse: () => overloaded('work'),
    }),
    runs: new FairScheduler({
      ledger,
      rate: 'runSeconds',
      places: RUNS,
      maxPerClient: share(RUNS),
      maxQueue: 128,
      refuse: () => overloaded('execute'),
    }),
    largeRuns: new FairScheduler({
      ledger,
      rate: 'runSeconds',
      places: LARGE_RUNS,
      maxQueue: 32,
      refuse: () => overloaded('execute'),
    }),
    certificates: new FairScheduler({
      ledger,
      rate: 'runSeconds',
      places: CERTIFICATES,
      maxQueue: 16,
      refuse: () => overloaded('certificates'),
    }),
    bundles: new FairScheduler({
      ledger,
      places: BUNDLES,
      maxQueue: 32,
      refuse: () => overloaded('bundleCheck'),
    }),
    examples: new FairScheduler({
      ledger,
      rate: 'runSeconds',
      places: EXAMPLES,
      maxQueue: 128,
      refuse: () => overloaded('previews'),
    }),
    streams: new FairScheduler({
      ledger,
      places: maxReaders,
      maxPerClient: maxOfClient,
      refuse: (limit) =>
        limit === 'all'
          ? overloaded('streams')
          : new Failure('too_many', `${maxOfClient} streams are open from your address: close one first`, {
              retryAfterSeconds: 5,
            }),
    }),
  }
}
