import type { FeedStatus } from '../../../../lib/feed/read-status.ts'
import { Card } from '../../../../lib/ui/components/card.tsx'
import { type ItemStatus, StatusChip } from '../../../../lib/ui/components/status-chip.tsx'
import { LiveHeads } from './live-heads.tsx'

const MEANINGS: readonly (readonly [ItemStatus, string])[] = [
  ['observed', 'In a block that the chain may still replace.'],
  ['safe', 'Losing it would take a serious failure.'],
  ['finalized', 'For good: behind this point the chain never rewrites its history. That is finality.'],
  ['removed', 'A reorganisation replaced its block. Mined again, it comes back.'],
]

/** The four statuses, and where on the chain each begins. */
export function Finality({ chain }: { chain: FeedStatus }) {
  return (
    <div id="finality" className="scroll-mt-4">
      <Card title="How firm is it?" heading="h2">
        <div className="pt-2">
          <LiveHeads
            heads={{
              head: chain.head,
              processed: chain.processed,
              safe: chain.safe,
              finalized: chain.finalized,
            }}
          />
        </div>
        <dl className="mt-5 space-y-2.5">
          {MEANINGS.map(([status, meaning]) => (
            <div key={status} className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3">
              <dt>
                <StatusChip status={status} />
              </dt>
              <dd className="text-ink-soft text-sm">{meaning}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </div>
  )
}
