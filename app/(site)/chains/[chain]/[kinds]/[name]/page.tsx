import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { ENTITY_KINDS, type EntityKind } from '#lib/protocol/entity.ts'
import { counted } from '#lib/ui/components/format.ts'
import { KindMark } from '#lib/ui/components/kind-mark.tsx'
import { textLink } from '#lib/ui/components/link-style.ts'
import { measure } from '#lib/ui/components/measure.ts'
import { Unreadable } from '#lib/ui/components/notice.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { StillPlots } from '#lib/ui/components/still-plots.tsx'
import { Description, SourceBody } from '#lib/ui/entity/author-words.tsx'
import { STAGE_SHAPE, Stage } from '#lib/ui/piece/stage.tsx'
import { kindName } from '#lib/ui/search/hit-view.ts'
import {
  type ChainChoice,
  type ChainEntityView,
  chainEntityView,
  entityOnChainHref,
} from '#lib/views/chains.ts'
import { readForPage } from '#lib/views/read.ts'
import { ClosedChain } from '../../../../_chains/closed-chain.tsx'
import { ByProgram } from '../../../../_entity/by-program.tsx'
import { readName } from '../../../../_entity/entity-page.tsx'
import { OnChain } from '../../../../_entity/on-chain.tsx'

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
        <ClosedChain name={chain.name} why={closed} />
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
  return (
    <>
      <Stage
        title={name}
        eyebrow={
          <>
            <KindMark kind={kind} />
            {kindName(kind)} on{' '}
            <a className={textLink} href={`/chains/${chainId}`}>
              {chainName}
            </a>
          </>
        }
        author={{ address: owner, name: ownerName }}
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
          <OnChain
            owner={owner}
            publication={publication}
            otherChains={otherChains}
            traits={traits}
            nowMs={nowMs}
            further
          />
        </Part>
        <ByProgram api={`${origin}/chains/${chainId}/chain`} kind={kind} name={name} />
      </div>
    </>
  )
}
