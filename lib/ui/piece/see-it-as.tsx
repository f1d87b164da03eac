import { worldPageHref } from '#lib/protocol/run-link.ts'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { textLink } from '#lib/ui/kit/link-style.ts'
import type { LinkedWorld } from '#lib/views/world.ts'

/** Links to the same piece in other Worlds, after the one that draws it here; nothing where there is no other. */
export function SeeItAs({ name, worlds }: { name: string; worlds: readonly LinkedWorld[] }) {
  if (worlds.every(({ isCurrent }) => isCurrent)) return null
  return (
    <p className="flex flex-wrap gap-x-3 text-sm">
      <span className="py-2 text-ink-soft">See it as:</span>
      {worlds.map((world) =>
        world.isCurrent ? (
          <span key={world.slug} aria-current="true" className="py-2 font-semibold">
            {world.name}
          </span>
        ) : (
          <a
            key={world.slug}
            className={`${textLink} py-2`}
            href={
              world.isOwn
                ? entityHref('connector', name)
                : `${worldPageHref(world.slug)}?${new URLSearchParams({ connector: name })}`
            }
          >
            {world.name}
          </a>
        ),
      )}
    </p>
  )
}
