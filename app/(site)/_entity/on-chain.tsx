import { formatInteger, shortHex } from '#lib/browser/format.ts'
import type { EntityPublication } from '#lib/core/entities/find-publication.ts'
import type { SisterSite } from '#lib/platform/config-checks.ts'
import { checksumAddress } from '#lib/protocol/address.ts'
import type { CodeTraits } from '#lib/protocol/code-traits.ts'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'
import { DependenceFact } from '#lib/ui/components/dependence.tsx'
import { blockHref, entityHref, formatHref, ownerHref } from '#lib/ui/components/entity-href.ts'
import { Fact, Facts } from '#lib/ui/components/facts.tsx'
import { StatusChip } from '#lib/ui/components/status-chip.tsx'
import { TimeAgo } from '#lib/ui/components/time-ago.tsx'
import { CopyableCode } from '#lib/ui/kit/copy-button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'

/** Owner, status and address of an entity. */
export function OnChain({
  owner,
  publication,
  kind,
  name,
  sisterSites,
  formatHash,
  codeBytes,
  traits,
  nowMs,
}: {
  owner: Address
  publication: EntityPublication | undefined
  kind: EntityKind
  name: string
  sisterSites: readonly SisterSite[]
  formatHash?: Hash | undefined
  codeBytes?: number | undefined
  traits: CodeTraits | undefined
  nowMs: number
}) {
  return (
    <Facts stacked>
      {publication?.status === undefined ? null : (
        <Fact label="Status">
          <span className="group inline-flex flex-wrap items-center gap-x-3 gap-y-1">
            <StatusChip status={publication.status} />
            {publication.createdAtMs === undefined ? null : (
              <span className="text-ink-soft text-xs">
                <TimeAgo ms={publication.createdAtMs} nowMs={nowMs} />
              </span>
            )}
          </span>
        </Fact>
      )}
      <DependenceFact traits={traits} />
      <Fact label="Owner">
        <a className={`${textLink} mono text-xs`} href={ownerHref(owner)}>
          {checksumAddress(owner)}
        </a>
      </Fact>
      {formatHash === undefined ? null : (
        <Fact label="Format" note="Pieces of one format can stand in for each other.">
          <a className={`${textLink} mono text-xs`} href={formatHref(formatHash)} title={formatHash}>
            {shortHex(formatHash)}
          </a>
        </Fact>
      )}
      {publication === undefined ? (
        <Fact label="Address" note="A draft is on this server only; publication gives it an address.">
          <code className="text-xs">0x0</code>
        </Fact>
      ) : (
        <>
          <Fact label="Address">
            <CopyableCode text={checksumAddress(publication.address)} what="address" />
          </Fact>
          <Fact
            label="Content hash"
            note="Computed by the registry contract, too: it names exactly this content."
          >
            <CopyableCode text={publication.contentHash} what="content hash" />
          </Fact>
          {sisterSites.length === 0 ? null : (
            <Fact label="Also on" note="What other chains have under this name, on sites of their own.">
              {sisterSites.map((site, index) => (
                <span key={site.origin}>
                  {index === 0 ? null : ', '}
                  <a className={textLink} href={site.origin + entityHref(kind, name)}>
                    {site.name}
                  </a>
                </span>
              ))}
            </Fact>
          )}
          <Fact label="Block">
            <a className={textLink} href={blockHref(publication.blockNumber)}>
              {formatInteger(publication.blockNumber)}
            </a>
          </Fact>
          <Fact label="Transaction">
            <CopyableCode text={publication.txHash} what="transaction hash" />
          </Fact>
        </>
      )}
      {codeBytes === undefined ? null : (
        <Fact label="Size" note="Of the compiled body on chain.">
          {formatInteger(codeBytes)} bytes
        </Fact>
      )}
    </Facts>
  )
}
