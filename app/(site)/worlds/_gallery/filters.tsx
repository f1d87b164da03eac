import { counted, shortHex } from '#lib/browser/format.ts'
import type { WorldFormat } from '#lib/core/worlds/list-worlds.ts'
import { bareHash } from '#lib/protocol/hash.ts'
import { formatHref } from '#lib/ui/components/entity-href.ts'
import { FilterLinks, FilterRow } from '#lib/ui/components/filter-links.tsx'
import { Button } from '#lib/ui/kit/button.tsx'
import { HiddenField, TextField } from '#lib/ui/kit/field.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { describePermissions } from '#lib/ui/world/permissions.tsx'
import { type GalleryQuery, galleryHref } from '#lib/views/gallery-query.ts'

const SURFACES = [
  ['Anywhere', undefined],
  ['On a page', 'world-page'],
  ['In the studio', 'studio-plugin'],
] as const

const PERMISSIONS = [
  ['Any permission', undefined],
  ['Sound', 'browser.audio'],
  ['Files', 'browser.downloads'],
  ['Running pieces', 'dcn.execute'],
  ['Nothing', 'nothing'],
] as const

const ORDERS = [
  ['Last changed', 'changed'],
  ['Newest', 'new'],
  ['Name', 'name'],
] as const

/** The gallery's search, filters and order: a form and links, so that all of it has addresses and needs no script. */
export function GalleryFilters({ query, formats }: { query: GalleryQuery; formats: readonly WorldFormat[] }) {
  const start = { ...query, after: undefined }
  const listed = PERMISSIONS.some(([, permission]) => permission === query.permission)
  return (
    <search>
      <FilterRow
        labels={chosenOf(query)}
        menu={
          <>
            <FilterLinks
              label="Runs"
              choices={SURFACES}
              value={query.surface}
              hrefOf={(surface) => galleryHref({ ...start, surface })}
            />
            <FilterLinks
              label="Needs"
              choices={[
                ...PERMISSIONS,
                ...(listed || query.permission === undefined
                  ? []
                  : describePermissions([query.permission]).map(
                      ({ words }) => [words, query.permission] as const,
                    )),
              ]}
              value={query.permission}
              hrefOf={(permission) => galleryHref({ ...start, permission })}
            />
            {formats.length === 0 ? null : (
              <FilterLinks
                label="Format"
                choices={[
                  ['Any format', undefined],
                  ...formats.map(
                    (format) => [`${formatName(format)} (${format.worlds})`, format.formatHash] as const,
                  ),
                ]}
                value={query.format}
                hrefOf={(format) => galleryHref({ ...start, format })}
              />
            )}
            <FilterLinks
              label="Order"
              choices={ORDERS}
              value={query.order}
              hrefOf={(order) => galleryHref({ ...start, order })}
            />
          </>
        }
      >
        <form action="/worlds" className="flex max-w-[34rem] gap-3">
          <label className="min-w-0 flex-1">
            <span className="sr-only">Search Worlds</span>
            <TextField // Remounts for another search: the field is uncontrolled.
              key={query.search}
              type="search"
              name="q"
              defaultValue={query.search}
              maxLength={128}
              enterKeyHint="search"
              placeholder="Search Worlds"
              className="text-base"
            />
          </label>
          {query.surface ? <HiddenField name="surface" value={query.surface} /> : null}
          {query.format ? <HiddenField name="format" value={bareHash(query.format)} /> : null}
          {query.permission ? <HiddenField name="permission" value={query.permission} /> : null}
          {query.order === 'changed' ? null : <HiddenField name="sort" value={query.order} />}
          <Button type="submit">Search</Button>
        </form>
      </FilterRow>
      {query.format ? (
        <p className="pt-2 text-sm">
          Made for the format{' '}
          <a className={`${textLink} mono`} href={formatHref(query.format)}>
            {shortHex(query.format)}
          </a>
          .
        </p>
      ) : null}
    </search>
  )
}

/** Filters that differ from the whole gallery, in words. */
function chosenOf({ surface, permission, format, order }: GalleryQuery): readonly string[] {
  return [
    ...SURFACES.filter(([, each]) => each === surface && each !== undefined),
    ...PERMISSIONS.filter(([, each]) => each === permission && each !== undefined),
    ...(format === undefined ? [] : [['One format'] as const]),
    ...ORDERS.filter(([, each]) => each === order && each !== 'changed'),
  ].map(([label]) => label)
}

const MAX_LABELS = 3

/** Labels of a format's values, without indices where those are unambiguous. */
function formatName({ formatHash, scalars }: WorldFormat): string {
  const names = [...new Set(scalars.map((label) => label.replace(/:\d+$/, '')))]
  if (names.length === 0) return shortHex(formatHash)
  const rest = names.length - MAX_LABELS
  return rest > 0
    ? `${names.slice(0, MAX_LABELS).join(' ')} and ${counted(rest, 'more', 'more')}`
    : names.join(' ')
}
