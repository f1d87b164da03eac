import { Breakable } from './breakable.tsx'
import { isNameOf, Title } from './title.tsx'

/** Title of a piece, with its name in small unless that repeats it; the name alone without one. */
export function PieceName({ name, title }: { name: string; title?: string | undefined }) {
  if (title === undefined) {
    return (
      <span className="mono min-w-0 [overflow-wrap:anywhere]">
        <Breakable name={name} />
      </span>
    )
  }
  return (
    <span className="inline-flex min-w-0 flex-wrap items-baseline gap-x-2">
      <Title>{title}</Title>{' '}
      {isNameOf(name, title) ? null : (
        <span className="mono font-normal text-ink-soft text-xs [overflow-wrap:anywhere]">
          <Breakable name={name} />
        </span>
      )}
    </span>
  )
}
