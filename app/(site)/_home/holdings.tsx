'use client'

import type { ReactNode } from 'react'
import { argumentNames, counted, formatInteger, shortHex } from '#lib/browser/format.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import { entityHref, formatHref, ownerHref } from '#lib/ui/components/entity-href.ts'
import { Part } from '#lib/ui/components/part.tsx'
import { quietLink } from '#lib/ui/kit/link-style.ts'
import type { Held, NetworkCounts } from '#lib/views/home.ts'

/** Totals of the network. */
export function Counts({ counts }: { counts: NetworkCounts }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3 lg:grid-cols-5">
      <Stat label="Connectors" value={counts.connectors} />
      <Stat label="Transformations" value={counts.transformations} />
      <Stat label="Conditions" value={counts.conditions} />
      <Stat label="Formats" value={counts.formats} />
      <Stat label="Accounts" value={counts.accounts} />
    </dl>
  )
}

/** The newest entities of each kind but connectors, which the loom shows. */
export function Holdings({ held }: { held: Held }) {
  const { counts, transformations, conditions, formats, accounts } = held
  return (
    <div className="grid gap-x-8 gap-y-12 sm:grid-cols-2 xl:grid-cols-4">
      <Part
        heading="h3"
        title="Transformations"
        aside={shareOf(transformations.length, counts.transformations)}
        lead="One step of a stream: the next value from the last."
      >
        <CodeList
          kind="transformation"
          entries={transformations}
          frame={(args) => ['x', ...args].join(', ')}
        />
      </Part>
      <Part
        heading="h3"
        title="Conditions"
        aside={shareOf(conditions.length, counts.conditions)}
        lead="A yes or no that a connector asks before it runs."
      >
        <CodeList kind="condition" entries={conditions} frame={(args) => args.join(', ')} />
      </Part>
      <Part
        heading="h3"
        title="Formats"
        aside={shareOf(formats.length, counts.formats)}
        lead="The shape of an output. Connectors that share one fit together."
      >
        <List empty="No connector has given a format yet.">
          {formats.map(({ formatHash, scalars, connectors, more }) => (
            <Item
              key={formatHash}
              name={shortHex(formatHash)}
              href={formatHref(formatHash)}
              title={formatHash}
              detail={counted(connectors, 'connector')}
              below={more > 0 ? `${scalars.join(' ')} and ${more} more` : scalars.join(' ')}
            />
          ))}
        </List>
      </Part>
      <Part
        heading="h3"
        title="Accounts"
        aside={shareOf(accounts.length, counts.accounts)}
        lead="Owners. What they publish keeps its name and never changes."
      >
        <List empty="Nobody has published yet.">
          {accounts.map(({ address, published, name }) => (
            <Item
              key={address}
              name={name === undefined ? `0x${shortHex(address)}` : <bdi className="font-sans">{name}</bdi>}
              href={ownerHref(address)}
              title={address}
              detail={`${formatInteger(published)} published`}
            />
          ))}
        </List>
      </Part>
    </div>
  )
}

function shareOf(listed: number, total: number): ReactNode {
  return total > listed ? (
    <span className="mono text-ink-soft text-xs">{`${listed} of ${formatInteger(total)}`}</span>
  ) : null
}

function CodeList({
  kind,
  entries,
  frame,
}: {
  kind: EntityKind
  entries: Held['transformations']
  frame: (args: readonly string[]) => string
}) {
  return (
    <List empty="None published yet.">
      {entries.map(({ name, owner, argsCount }) => (
        <Item
          key={name}
          name={name}
          href={entityHref(kind, name)}
          signature={argsCount === undefined ? undefined : `(${frame(argumentNames(argsCount))})`}
          title={`Owned by ${owner}`}
        />
      ))}
    </List>
  )
}

function List({ children, empty }: { children: readonly ReactNode[]; empty: string }) {
  if (children.length === 0) return <p className="border-line border-t py-3 text-ink-soft text-sm">{empty}</p>
  return <ul>{children}</ul>
}

function Item({
  name,
  href,
  signature,
  detail,
  below,
  title,
}: {
  name: ReactNode
  href: string
  signature?: string | undefined
  detail?: string
  below?: string
  title: string
}) {
  return (
    <li className="border-line border-t py-2.5" title={title}>
      <div className="flex items-baseline justify-between gap-3">
        <span className="mono min-w-0 text-sm [overflow-wrap:anywhere]">
          <a href={href} className={quietLink}>
            {name}
          </a>
          {signature ? <span className="text-ink-soft">{signature}</span> : null}
        </span>
        {detail ? <span className="shrink-0 text-ink-soft text-xs">{detail}</span> : null}
      </div>
      {below ? <p className="mono mt-0.5 text-ink-soft text-xs [overflow-wrap:anywhere]">{below}</p> : null}
    </li>
  )
}

/** A count with its name, for use inside a `<dl>`. */
function Stat({ label, value }: { label: string; value: number }) {
  return (
    <div className="flex min-w-0 flex-col-reverse gap-1 border-line border-l-2 py-1 pl-4">
      <dt className="text-ink-soft text-sm">{label}</dt>
      <dd className="mono font-medium text-2xl tracking-tight">{formatInteger(value)}</dd>
    </div>
  )
}
