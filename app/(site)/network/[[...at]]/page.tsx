import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { counted, shortHex } from '#lib/browser/format.ts'
import { mostUsedEntities } from '#lib/core/entities/published-lists.ts'
import { namesOf } from '#lib/core/people/users.ts'
import { type Neighbour, neighbourhood, neighbourKey } from '#lib/features/neighbourhood/index.ts'
import { type Address, ENTITY_KINDS } from '#lib/protocol/entity.ts'
import { kindWord } from '#lib/protocol/kind-name.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import { entityHref, networkHref, ownerHref } from '#lib/ui/components/entity-href.ts'
import { KindMark } from '#lib/ui/components/kind-mark.tsx'
import { measure } from '#lib/ui/components/measure.ts'
import { Unreadable } from '#lib/ui/components/notice.tsx'
import { PageHead } from '#lib/ui/components/page-head.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { quietLink, textLink } from '#lib/ui/kit/link-style.ts'
import { readForPage } from '#lib/views/read.ts'
import { Drawing } from '../../_entity/dependency-graph.tsx'

interface Props {
  params: Promise<{ at?: string[] }>
}

export const metadata: Metadata = {
  title: 'Who builds on what',
  description: 'The network of published pieces as a graph to walk.',
}

/** `/network/{kind}s/{name}`; without a name the entity that most connectors use. */
export default async function NetworkPage({ params }: Props) {
  await connection()
  const { at } = await params
  const kind = ENTITY_KINDS.find((each) => `${each}s` === at?.[0])
  const name = at?.[1]
  if (at !== undefined && (kind === undefined || name === undefined || at.length > 2)) notFound()
  if (name !== undefined && !isEntityName(name)) notFound()
  const reading = await readForPage('a neighbourhood', async (ctx) => {
    const [most] = name === undefined ? await mostUsedEntities(ctx, { limit: 1 }) : []
    const root = kind === undefined || name === undefined ? most : { kind, name }
    const network = root && (await neighbourhood(ctx, { kind: root.kind, name: root.name }))
    return (
      network && {
        ...network,
        names: await namesOf(
          ctx,
          network.nodes.map(({ owner }) => owner),
        ),
      }
    )
  })
  if (!reading.ok)
    return (
      <Unreadable title="Who builds on what" again={kind && name ? networkHref(kind, name) : '/network'} />
    )
  const view = reading.value
  const root = view?.nodes[0]
  if (view === undefined || root === undefined) {
    if (name !== undefined) notFound()
    return <PageHead title="Who builds on what" lead={<p>No piece builds on another yet.</p>} />
  }
  const graph = {
    nodes: view.nodes.map(({ kind: of, name: called, uses }) => ({
      id: neighbourKey({ kind: of, name: called }),
      kind: of,
      name: called,
      uses: uses.map((to) => ({ to, times: 1 })),
      more: 0,
    })),
  }
  const below = new Set(root.uses)
  const key = neighbourKey(root)
  return (
    <>
      <PageHead
        eyebrow="Who builds on what"
        title={root.name}
        code
        lead={
          <p>
            A {kindWord(root.kind)}, used by {counted(root.usedBy, 'piece')}.{' '}
            <a className={textLink} href={entityHref(root.kind, root.name)}>
              Its page
            </a>
          </p>
        }
      />
      <div className={`${measure} mt-8`}>
        {graph.nodes.length === 1 ? null : (
          <div className="max-sm:hidden">
            <p className="text-ink-soft text-sm">
              Each piece builds on what is to its right. Press one to walk there. A few of each are drawn.
            </p>
            <Drawing
              graph={graph}
              title={`Who builds on ${root.name}, and what it builds on`}
              hrefOf={networkHref}
            />
          </div>
        )}
        <div className="mt-10 grid gap-x-14 gap-y-10 lg:grid-cols-2 [&>*]:min-w-0">
          <List
            title="Builds on it"
            empty="No published piece yet."
            nodes={view.nodes.filter(({ uses }) => uses.includes(key))}
            names={view.names}
            all={`${entityHref(root.kind, root.name)}#used-by`}
          />
          <List
            title="It builds on"
            empty="Nothing: it stands alone."
            nodes={view.nodes.filter((node) => below.has(neighbourKey(node)))}
            names={view.names}
            all={undefined}
          />
        </div>
      </div>
    </>
  )
}

function List({
  title,
  empty,
  nodes,
  names,
  all,
}: {
  title: string
  empty: string
  nodes: readonly Neighbour[]
  names: ReadonlyMap<Address, string>
  /** Address of the whole list. */
  all: string | undefined
}) {
  return (
    <Part title={title}>
      {nodes.length === 0 ? <p className="border-line border-t py-3 text-ink-soft text-sm">{empty}</p> : null}
      <ul>
        {nodes.map(({ kind, name, owner, usedBy }) => (
          <li
            key={neighbourKey({ kind, name })}
            className="flex min-h-11 flex-wrap items-center gap-x-3 border-line border-t py-2 text-sm"
          >
            <KindMark kind={kind} />
            <a className={`${textLink} mono [overflow-wrap:anywhere]`} href={networkHref(kind, name)}>
              {name}
            </a>
            <span className="ml-auto flex gap-x-4 text-ink-soft text-xs">
              {usedBy === 0 ? null : <span>used by {usedBy}</span>}
              <a className={quietLink} href={ownerHref(owner)}>
                <bdi>{names.get(owner) ?? `0x${shortHex(owner)}`}</bdi>
              </a>
            </span>
          </li>
        ))}
      </ul>
      {all === undefined || nodes.length === 0 ? null : (
        <p className="border-line border-t pt-3 text-sm">
          <a className={textLink} href={all}>
            All of them
          </a>
        </p>
      )}
    </Part>
  )
}
