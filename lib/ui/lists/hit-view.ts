import { counted, formatInteger, shortHex } from '#lib/browser/format.ts'
import { type Address, ENTITY_KINDS, type EntityKind, type Hash } from '#lib/protocol/entity.ts'
import { kindsName } from '#lib/protocol/kind-name.ts'
import type { ListedKind } from '#lib/protocol/listed-kind.ts'
import { entityHref, formatHref, ownerHref, tileHref, worldHref } from '#lib/ui/components/entity-href.ts'

/** The view of a hit. */
export interface HitView {
  readonly kind: ListedKind
  readonly title: string
  /** Name of an entity, which its title may differ from. */
  readonly name?: string
  /** Whether the title is set in the mono face. */
  readonly code: boolean
  readonly detail: string
  readonly href: string
  /** Address of a small picture of it, drawn by the server. */
  readonly picture?: string
  /** Colours its icon. */
  readonly address?: string
  /** Unix milliseconds. */
  readonly atMs?: number | undefined
}

/** A filter of the kinds of entities. */
export const KIND_CHOICES: readonly (readonly [label: string, kind: EntityKind | undefined])[] = [
  ['All', undefined],
  ...ENTITY_KINDS.map((kind) => [kindsName(kind), kind] as const),
]

/** An entity by its title where it has one, with the name beside it. @param notes Shown before the owner. @param ownerName Display name of the owner. */
export function viewEntity(
  {
    kind,
    name,
    title,
    owner,
  }: {
    readonly kind: EntityKind
    readonly name: string
    readonly title?: string | undefined
    readonly owner: Address
  },
  {
    notes = [],
    ownerName,
  }: { readonly notes?: readonly string[]; readonly ownerName?: string | undefined } = {},
): HitView {
  const detail = [...(title === undefined ? [] : [name]), ...notes, by(owner, ownerName)].join(', ')
  return {
    kind,
    title: title ?? name,
    name,
    code: title === undefined,
    detail,
    href: entityHref(kind, name),
    picture: tileHref(kind, name),
  }
}

export function viewFormat(format: {
  readonly formatHash: Hash
  readonly scalars: readonly string[]
  readonly scalarsCount: number
  readonly connectors: number
}): HitView {
  return {
    kind: 'format',
    title: shortHex(format.formatHash),
    code: true,
    detail: `${counted(format.connectors, 'piece')}: ${labels(format)}`,
    href: formatHref(format.formatHash),
  }
}

export function viewPerson(person: {
  readonly address: Address
  readonly name: string | undefined
  /** Absent without a query. */
  readonly published?: number
}): HitView {
  const { address, name, published } = person
  const short = `0x${shortHex(address)}`
  const did =
    published === undefined
      ? []
      : [published === 0 ? 'nothing published' : `${formatInteger(published)} published`]
  return {
    kind: 'person',
    title: name ?? short,
    code: name === undefined,
    detail: [...(name === undefined ? [] : [short]), ...did].join(', '),
    href: ownerHref(address),
    address,
  }
}

export function viewWorld(
  world: {
    readonly slug: string
    readonly title: string
    readonly owner: Address
  },
  {
    notes = [],
    ownerName,
  }: { readonly notes?: readonly string[]; readonly ownerName?: string | undefined } = {},
): HitView {
  return {
    kind: 'world',
    title: world.title,
    code: false,
    detail: [...notes, by(world.owner, ownerName)].join(', '),
    href: worldHref(world.slug),
    picture: tileHref('world', world.slug),
  }
}

function by(owner: Address, name: string | undefined): string {
  return `by ${name ?? `0x${shortHex(owner)}`}`
}

function labels({
  scalars,
  scalarsCount,
}: {
  readonly scalars: readonly string[]
  readonly scalarsCount: number
}): string {
  return scalarsCount > 3
    ? `${scalars.slice(0, 3).join(' ')} and ${scalarsCount - 3} more`
    : scalars.join(' ')
}
