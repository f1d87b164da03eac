import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { checksumAddress } from '../../../../../../lib/protocol/address.ts'
import { ENTITY_KINDS, type EntityKind } from '../../../../../../lib/protocol/entity.ts'
import { ButtonLink } from '../../../../../../lib/ui/components/button.tsx'
import { Command } from '../../../../../../lib/ui/components/command.tsx'
import { CopyableCode } from '../../../../../../lib/ui/components/copy-button.tsx'
import { DependenceFact } from '../../../../../../lib/ui/components/dependence.tsx'
import { ownerHref } from '../../../../../../lib/ui/components/entity-href.ts'
import { Fact, Facts } from '../../../../../../lib/ui/components/facts.tsx'
import { counted, formatInteger } from '../../../../../../lib/ui/components/format.ts'
import { KindMark } from '../../../../../../lib/ui/components/kind-mark.tsx'
import { textLink } from '../../../../../../lib/ui/components/link-style.ts'
import { measure } from '../../../../../../lib/ui/components/measure.ts'
import { Notice, Unreadable } from '../../../../../../lib/ui/components/notice.tsx'
import { StatusChip } from '../../../../../../lib/ui/components/status-chip.tsx'
import { StillPlots } from '../../../../../../lib/ui/components/still-plots.tsx'
import { TimeAgo } from '../../../../../../lib/ui/components/time-ago.tsx'
import { Description, SourceBody } from '../../../../../../lib/ui/entity/author-words.tsx'
import { STAGE_SHAPE, Stage } from '../../../../../../lib/ui/piece/stage.tsx'
import {
  type ChainChoice,
  type ChainEntityView,
  chainEntityView,
  entityOnChainHref,
} from '../../../../../../lib/views/chains.ts'
import { PICTURED_PARTICLES } from '../../../../../../lib/views/entity.ts'
import { readForPage } from '../../../../../../lib/views/read.ts'
import { Part, readName } from '../../../../_entity/entity-page.tsx'

interface Props {
  params: Promise<{ chain: string; kinds: string; name: string }>
}

interface Place {
  readonly id: string
  readonly kind: EntityKind
  readonly name: string
}

async function placeOf({ params }: Props): Promise<Place> {
  const { chain: id, kinds } = await params
  const kind = ENTITY_KINDS.find((each) => kinds === `${each}s`)
  if (kind === undefined) notFound()
  return { id, kind, name: await readName(params) }
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { id, kind, name } = await placeOf(props)
  return { title: `${name}, ${kind} on chain ${id}`, description: `The ${kind} ${name} on chain ${id}.` }
}

/** An entity of a further chain: what it gives, what it is made of, and where it is. */
export default async function ChainEntityPage(props: Props) {
  await connection()
  const { id, kind, name } = await placeOf(props)
  const reading = await readForPage('an entity of a chain', (ctx) => chainEntityView(ctx, id, kind, name))
  const again = `/chains/${encodeURIComponent(id)}/${kind}s/${encodeURIComponent(name)}`
  if (!reading.ok) return <Unreadable again={again} />
  if (reading.value === undefined) notFound()
  const { chain, closed } = reading.value
  if (closed !== undefined) {
    return (
      <div className={`${measure} pt-8`}>
        <Notice title={`${chain.name} is not open now`}>
          <p>{closed}</p>
          <ButtonLink href="/status">Status</ButtonLink>
        </Notice>
      </div>
    )
  }
  if (reading.value.value === undefined) notFound()
  return <Entity chain={chain} kind={kind} name={name} view={reading.value.value} />
}

function Entity({
  chain: { chainId, name: chainName },
  kind,
  name,
  view,
}: {
  chain: ChainChoice
  kind: EntityKind
  name: string
  view: ChainEntityView
}) {
  const { publication, owner, ownerName, words, traits, parts, run, otherChains, origin, nowMs } = view
  const api = `${origin}/chains/${chainId}/chain`
  return (
    <>
      <Stage
        title={name}
        eyebrow={
          <>
            <KindMark kind={kind} />
            {kind.slice(0, 1).toUpperCase()}
            {kind.slice(1)} on{' '}
            <a className={textLink} href={`/chains/${chainId}`}>
              {chainName}
            </a>
          </>
        }
        author={{ address: owner, name: ownerName, agentOf: undefined }}
        lead={
          <>
            <Description words={words} />
            {run?.state === 'particles' ? (
              <p className="mt-2 text-sm">{counted(run.paths, 'path')}.</p>
            ) : run === undefined || run.state === 'unknown' ? null : (
              <p className="mt-2 text-sm">{run.message}</p>
            )}
          </>
        }
        actions={null}
      >
        {run?.state === 'particles' ? (
          <div className={`relative ${STAGE_SHAPE}`}>
            <StillPlots streams={run.streams} />
          </div>
        ) : null}
      </Stage>
      <div className={`${measure} mt-12 space-y-14`}>
        {words?.source ? (
          <Part title="Source">
            <SourceBody words={words} />
          </Part>
        ) : null}
        {parts.length === 0 ? null : (
          <Part title="Made of" lead="What it names, on this chain.">
            <ul className="flex flex-wrap gap-x-6 gap-y-2">
              {parts.map((part) => (
                <li key={`${part.kind}/${part.name}`} className="group flex min-w-0 items-center gap-2">
                  <KindMark kind={part.kind} />
                  <a
                    className={`${textLink} mono [overflow-wrap:anywhere]`}
                    href={entityOnChainHref(chainId, part.kind, part.name)}
                  >
                    {part.name}
                  </a>
                </li>
              ))}
            </ul>
          </Part>
        )}
        <Part title="On chain">
          <Facts>
            {publication.status === undefined ? null : (
              <Fact label="Status">
                <StatusChip status={publication.status} />{' '}
                {publication.createdAtMs === undefined ? null : (
                  <TimeAgo ms={publication.createdAtMs} nowMs={nowMs} />
                )}
              </Fact>
            )}
            <DependenceFact traits={traits} />
            <Fact label="Owner">
              <a className={`${textLink} mono text-xs`} href={ownerHref(owner)}>
                {checksumAddress(owner)}
              </a>
            </Fact>
            <Fact label="Address">
              <CopyableCode text={checksumAddress(publication.address)} what="address" />
            </Fact>
            <Fact label="Content hash" note="It names exactly this content, on every chain.">
              <CopyableCode text={publication.contentHash} what="content hash" />
            </Fact>
            {otherChains.length === 0 ? null : (
              <Fact label="Also on" note="The same content under the same name.">
                {otherChains.map((other, index) => (
                  <span key={other.chainId}>
                    {index === 0 ? null : ', '}
                    <a className={textLink} href={other.path}>
                      {other.name}
                    </a>
                  </span>
                ))}
              </Fact>
            )}
            <Fact label="Block">{formatInteger(publication.blockNumber)}</Fact>
          </Facts>
        </Part>
        <Part title="By program" lead="No account needed.">
          <Command>
            {kind === 'connector'
              ? `curl -s ${api}/simulate \\
  -H 'content-type: application/json' \\
  -d '{"connector_name":"${name}","particles_count":${PICTURED_PARTICLES}}'

curl -s ${api}/connector/${name}`
              : `curl -s ${api}/${kind}/${name}`}
          </Command>
        </Part>
      </div>
    </>
  )
}
