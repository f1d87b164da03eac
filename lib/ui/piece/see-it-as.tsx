import { worldPageHref } from '#lib/protocol/run-link.ts'
import { textLink } from '#lib/ui/kit/link-style.ts'
import type { LinkedWorld } from '#lib/views/world.ts'

/** Links to the same piece in other Worlds; nothing where none draws it. */
export function SeeItAs({ name, worlds }: { name: string; worlds: readonly LinkedWorld[] }) {
  if (worlds.length === 0) return null
  return (
    <p className="flex flex-wrap gap-x-3 text-sm">
      <span className="py-2 text-ink-soft">See it as:</span>
      {worlds.map((world) => (
        <a
          key={world.slug}
          className={`${textLink} py-2`}
          href={`${worldPageHref(world.slug)}?${new URLSearchParams({ connector: name })}`}
        >
          {world.name}
        </a>
      ))}
    </p>
  )
}
