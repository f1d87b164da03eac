import type { Provenance } from '../../execution/run-on-chain.ts'
import { CopyButton } from '../copy-button.tsx'
import { blockHref } from '../entity-href.ts'
import { Fact, Facts } from '../facts.tsx'
import { formatInteger } from '../format.ts'
import { textLink } from '../link-style.ts'
import { exactTime } from '../time.ts'

/** Where the result of a run on chain comes from: all it takes to make the same call again. */
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
        <Copyable text={blockHash} what="block hash" />
      </Fact>
      <Fact label="Runner" note="The contract that gave this answer.">
        <Copyable text={runner} what="runner address" />
      </Fact>
      <Fact label="Registry" note="Where the runner looks names up.">
        <Copyable text={registry} what="registry address" />
      </Fact>
      <Fact label="Chain">
        <span className="mono">{chainId}</span>
      </Fact>
    </Facts>
  )
}

function Copyable({ text, what }: { text: string; what: string }) {
  return (
    <>
      <code className="text-xs">{text}</code>
      <CopyButton text={text} what={what} />
    </>
  )
}
