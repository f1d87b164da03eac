import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { references } from '../../../../lib/domain/references.ts'
import { connectorView, PICTURED_PARTICLES } from '../../../../lib/site-data/entity.ts'
import { readForPage } from '../../../../lib/site-data/read.ts'
import type { Run } from '../../../../lib/site-data/run.ts'
import { Command } from '../../../../lib/ui/command.tsx'
import { entityHref } from '../../../../lib/ui/entity-href.ts'
import { counted } from '../../../../lib/ui/format.ts'
import { textLink } from '../../../../lib/ui/link-style.ts'
import { PageHead } from '../../../../lib/ui/page-head.tsx'
import { Streams } from '../../../../lib/ui/streams.tsx'
import { Unreadable } from '../../../../lib/ui/unreadable.tsx'
import { Definition } from '../../_entity/definition.tsx'
import { EntityPage, NotVerified, Part } from '../../_entity/entity-page.tsx'
import { OnChain } from '../../_entity/on-chain.tsx'
import { readName } from '../../_entity/read-name.ts'

/** Streams drawn on this page; the first page shows all of them. */
const DRAWN = 6

interface Props {
  params: Promise<{ name: string }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const name = await readName(params)
  return { title: `${name}, connector`, description: `What the connector ${name} is and generates.` }
}

export default async function ConnectorPage({ params }: Props) {
  await connection()
  const name = await readName(params)
  const reading = await readForPage('a connector', (ctx) => connectorView(ctx, name))
  if (!reading.ok) {
    return (
      <>
        <PageHead title={name} code />
        <Unreadable again={entityHref('connector', name)} />
      </>
    )
  }
  if (reading.value === undefined) notFound()
  const { entity, publication, origin, nowMs, run } = reading.value
  const owner = entity?.owner ?? publication?.owner
  if (owner === undefined) notFound()
  const definition = entity?.definition
  return (
    <EntityPage
      kind="connector"
      name={name}
      draft={publication === undefined}
      lead={
        definition ? (
          <p>
            {counted(definition.dimensions.length, 'dimension')}
            {run.state === 'particles' ? `, ${counted(run.paths, 'path')}` : ''}
            {definition.conditionName === '' ? '' : ', with a condition'}.
          </p>
        ) : null
      }
      aside={
        <>
          <OnChain owner={owner} publication={publication} formatHash={entity?.formatHash} nowMs={nowMs} />
          {definition ? <Uses definition={definition} /> : null}
        </>
      }
    >
      <Part title="Particles">
        <Picture name={name} run={run} />
      </Part>
      {definition ? <Definition definition={definition} /> : <NotVerified kind="connector" />}
      <Part title="By program" lead="The same numbers for a program; no account needed.">
        <Command>{`curl -s ${origin}/chain/simulate \\
  -H 'content-type: application/json' \\
  -d '{"connector_name":"${name}","particles_count":${PICTURED_PARTICLES}}'

curl -s ${origin}/chain/connector/${name}`}</Command>
      </Part>
    </EntityPage>
  )
}

function Picture({ name, run }: { name: string; run: Run }) {
  const inLoom = `/?connector=${encodeURIComponent(name)}&count=${PICTURED_PARTICLES}#particles`
  if (run.state !== 'particles') {
    return (
      <p className="border-line border-b py-4 text-sm">
        {run.state === 'unknown' ? 'There is nothing to run under this name.' : run.message}{' '}
        <a className={textLink} href={inLoom}>
          Look closer
        </a>
      </p>
    )
  }
  const shown = run.streams.slice(0, DRAWN)
  return (
    <>
      <Streams streams={shown} rows={shown.length} count={PICTURED_PARTICLES} busy={false} />
      <p className="mt-3 text-sm">
        <a className={textLink} href={inLoom}>
          {run.paths > shown.length ? `See all ${counted(run.paths, 'path')}` : 'See more particles'}
        </a>
      </p>
    </>
  )
}

/** Everything the connector names, each once. */
function Uses({ definition }: { definition: Parameters<typeof references>[0] }) {
  const found = new Map(references(definition).map((each) => [`${each.kind}/${each.name}`, each]))
  if (found.size === 0) return null
  return (
    <section className="mt-10">
      <h2 className="border-ink border-t-2 pt-3 pb-2 font-semibold text-base">Made of</h2>
      <ul>
        {[...found.values()].map(({ kind, name }) => (
          <li
            key={`${kind}/${name}`}
            className="flex items-baseline justify-between gap-4 border-line border-t py-2 text-sm"
          >
            <a className={`${textLink} mono [overflow-wrap:anywhere]`} href={entityHref(kind, name)}>
              {name}
            </a>
            <span className="text-ink-soft text-xs">{kind}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
