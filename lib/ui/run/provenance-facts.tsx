import { formatInteger } from '#lib/browser/format.ts'
import type { Provenance } from '#lib/core/entities/execution/run-on-chain.ts'
import { blockHref } from '#lib/ui/components/entity-href.ts'
import { Fact, Facts } from '#lib/ui/components/facts.tsx'
import { exactTime } from '#lib/ui/components/time.ts'
import { CopyableCode } from '#lib/ui/kit/copy-button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'

/** The provenance of a run on chain: what is needed to repeat the call. */
export function ProvenanceFacts({ provenance }: { provenance: Provenance }) {
  const { blockNumber, blockHash, blockTimeMs, chainId, runner, registry } = provenance
  return (
    <Facts stacked>
      <Fact label="Block">
        <a className={textLink} href={blockHref(blockNumber)}>
          {formatInteger(blockNumber)}
        </a>{' '}
        <time className="text-ink-soft text-xs" dateTime={new Date(blockTimeMs).toISOString()}>
          {exactTime(blockTimeMs)}
        </time>
      </Fact>
      <Fact label="Block hash" note="The call is pinned to it: nothing can change under the result.">
        <CopyableCode text={blockHash} what="block hash" />
      </Fact>
      <Fact label="Runner" note="The contract that gave this answer.">
        <CopyableCode text={runner} what="runner address" />
      </Fact>
      <Fact label="Registry" note="Where the runner looks names up.">
        <CopyableCode text={registry} what="registry address" />
      </Fact>
      <Fact label="Chain">
        <span className="mono">{chainId}</span>
      </Fact>
    </Facts>
  )
}
