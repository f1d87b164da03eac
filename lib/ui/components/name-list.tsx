import { textLink } from '#lib/ui/kit/link-style.ts'

/** Names as links, in columns where there is room. */
export function NameList({
  entries,
  empty,
}: {
  entries: readonly { readonly name: string; readonly href: string }[]
  empty: string
}) {
  if (entries.length === 0) return <p className="border-line border-t py-3 text-ink-soft text-sm">{empty}</p>
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-x-8">
      {entries.map(({ name, href }) => (
        <li key={name} className="border-line border-t py-2.5">
          <a className={`${textLink} mono text-sm [overflow-wrap:anywhere]`} href={href}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  )
}
