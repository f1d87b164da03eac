import type { PoolLimits } from '#lib/platform/config.ts'
import type { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { BoundedPool, type Loaded, PoolLimit } from '../threads/bounded-pool.ts'
import type { BundleTask } from './check-bundle-thread.ts'
import type { BundleChecker, BundleOutcome } from './checked-bundle.ts'
import { BUNDLE_LIMITS } from './limits.ts'
import { mib } from './read-files.ts'

/** Heap of objects; the ZIP and what is inflated from it lie outside the heap and are bounded by the rules. */
const HEAP_LIMIT_MB = 256

/** A checker on worker threads: a bundle that goes wrong costs its own thread, which is replaced. */
export function createBundlePool(
  options: PoolLimits & { readonly niceness?: number; readonly ledger?: UsageLedger },
): BundleChecker & Loaded {
  const pool = new BoundedPool<BundleTask, BundleOutcome>({
    ...options,
    worker: 'lib/compute/bundle/check-bundle-thread.ts',
    overload: 'bundleCheck',
    heapLimitMb: HEAP_LIMIT_MB,
  })
  return {
    check: async (zip, signal) => {
      if (zip.byteLength > BUNDLE_LIMITS.upload) {
        throw new Failure('payload_too_large', `The bundle is larger than ${mib(BUNDLE_LIMITS.upload)}`)
      }
      let outcome: BundleOutcome
      try {
        outcome = await pool.run((started) => ({ zip, started }), { signal })
      } catch (error) {
        throw error instanceof PoolLimit ? limitFailure(error, options) : error
      }
      if (outcome.status === 'refused') throw refusal(outcome.problems)
      return outcome.bundle
    },
    load: () => pool.load(),
    close: () => pool.close(),
  }
}

function refusal(problems: readonly string[]): Failure {
  const shownProblems = problems.slice(0, BUNDLE_LIMITS.problems)
  const more = problems.length - shownProblems.length
  const lines = more > 0 ? [...shownProblems, `and ${more} more`] : shownProblems
  const text =
    lines.length === 1
      ? `${lines[0]}`
      : `The bundle has ${problems.length} problems:\n${lines.map((line) => `- ${line}`).join('\n')}`
  return new Failure('invalid_request', text)
}

function limitFailure({ limit }: PoolLimit, { timeoutMs }: PoolLimits): Failure {
  const exceeded = limit === 'time' ? `takes longer than ${timeoutMs} ms` : 'needs too much memory'
  return new Failure('invalid_request', `Checking the bundle ${exceeded}: make its pages simpler`)
}
