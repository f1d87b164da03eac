import { FilterLinks } from '#lib/ui/components/filter-links.tsx'
import { type WallAddress, type WallSort, type WallTime, type WallView, wallHref } from '#lib/views/wall.ts'

const TIMES: readonly (readonly [label: string, time: WallTime])[] = [
  ['Ever', 'ever'],
  ['This week', 'week'],
  ['New', 'new'],
]

const SORTS: readonly (readonly [label: string, sort: WallSort])[] = [
  ['All', 'all'],
  ['Remixed', 'remixed'],
  ['By people I follow', 'followed'],
]

/** Filters that differ from the whole wall, in words. */
export function chosenOnWall(query: WallAddress, worlds: WallView['worlds']): readonly string[] {
  return [
    ...TIMES.filter(([, time]) => time === query.time && time !== 'ever'),
    ...SORTS.filter(([, sort]) => sort === query.of && sort !== 'all'),
    ...worlds.filter(({ slug }) => slug === query.world).map(({ name }) => [name] as const),
  ].map(([label]) => label)
}

/** Filters of the wall as links, so that each choice has an address and works without a script. */
export function WallFilters({ query, worlds }: { query: WallAddress; worlds: WallView['worlds'] }) {
  const start = { ...query, after: undefined }
  return (
    <>
      <FilterLinks
        label="Time"
        choices={TIMES}
        value={query.time}
        hrefOf={(time) => wallHref({ ...start, time })}
      />
      <FilterLinks
        label="Pieces"
        choices={SORTS}
        value={query.of}
        hrefOf={(of) => wallHref({ ...start, of })}
      />
      {worlds.length === 0 ? null : (
        <FilterLinks
          label="World"
          choices={[['Any', undefined], ...worlds.map(({ slug, name }) => [name, slug] as const)]}
          value={query.world}
          hrefOf={(world) => wallHref({ ...start, world })}
        />
      )}
    </>
  )
}
