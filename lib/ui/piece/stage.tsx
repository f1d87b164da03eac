import type { ReactNode } from 'react'
import { shortHex } from '#lib/browser/format.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Avatar } from '#lib/ui/components/avatar.tsx'
import { Breakable } from '#lib/ui/components/breakable.tsx'
import { ownerHref } from '#lib/ui/components/entity-href.ts'
import { measure } from '#lib/ui/components/measure.ts'
import { titleLook } from '#lib/ui/components/page-head.tsx'
import { isNameOf, Title } from '#lib/ui/components/title.tsx'
import { quietLink } from '#lib/ui/kit/link-style.ts'

/** Size of a player on a stage: with its knobs and buttons it stands in the first window. */
export const STAGE_SHAPE = 'h-[clamp(14rem,42dvh,28rem)] lg:h-[clamp(14rem,55dvh,36rem)]'

/**
 * The top of the page of a piece: what it does, as large as the first window has room for, and beside it its name, its
 * author and what a reader can do with it.
 */
export function Stage({
  name,
  title,
  eyebrow,
  author,
  lead,
  actions,
  children,
}: {
  name: string
  /** Title that its author chose; its name stands below where it is another. */
  title?: string | undefined
  /** The kind of thing the page shows, where its title does not say it. */
  eyebrow?: ReactNode
  author?: Person | undefined
  lead: ReactNode
  /** Buttons and folded panels, below each other. */
  actions: ReactNode
  /** The piece; nothing where it does not run. */
  children: ReactNode
}) {
  const words = (
    <div className="min-w-0">
      {eyebrow ? <p className="flex items-center gap-2 text-ink-soft text-sm">{eyebrow}</p> : null}
      {title === undefined ? (
        <h1 className={`mt-1 ${titleLook.code}`}>
          <Breakable name={name} />
        </h1>
      ) : (
        <>
          <h1 className={`mt-1 ${titleLook.words}`}>
            <Title className="block">{title}</Title>
          </h1>
          {isNameOf(name, title) ? null : (
            <p className="mono mt-1 text-ink-soft text-sm [overflow-wrap:anywhere]">
              <Breakable name={name} />
            </p>
          )}
        </>
      )}
      {author === undefined ? null : <Author {...author} />}
      {lead ? <div className="mt-3 max-w-prose text-ink-soft [overflow-wrap:anywhere]">{lead}</div> : null}
      {actions ? <div className="mt-5 space-y-3">{actions}</div> : null}
    </div>
  )
  if (!children) return <div className={`${measure} pt-6`}>{words}</div>
  return (
    <div
      className={`${measure} grid gap-x-14 gap-y-4 pt-4 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start [&>*]:min-w-0`}
    >
      <div>{children}</div>
      {words}
    </div>
  )
}

interface Person {
  readonly address: Address
  readonly name: string | undefined
}

function Author({ address, name }: Person) {
  return (
    <p className="mt-2 text-sm">
      <a
        className={`${quietLink} inline-flex min-h-6 max-w-full items-center gap-2`}
        href={ownerHref(address)}
      >
        <Avatar address={address} className="size-5" />
        <span className={`truncate ${name === undefined ? 'mono text-xs' : ''}`}>
          by {name ?? `0x${shortHex(address)}`}
        </span>
      </a>
    </p>
  )
}
