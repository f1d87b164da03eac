import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'

/** Page of a named thing. */
export function entityHref(kind: EntityKind, name: string): string {
  return `/${kind}s/${encodeURIComponent(name)}`
}

/** The graph around a published thing. */
export function networkHref(kind: EntityKind, name: string): string {
  return `/network${entityHref(kind, name)}`
}

/** Where a connector's page lists all that it is. */
export function definitionHref(connector: string): string {
  return `${entityHref('connector', connector)}#definition`
}

/** Page of an owner. */
export function ownerHref(address: Address): string {
  return `/users/${address}`
}

/** Page of a format; formats are displayed without `0x` everywhere. */
export function formatHref(hash: Hash): string {
  return `/formats/${hash.slice(2)}`
}

/** Address of the publications of one block. */
export function blockHref(number: number): string {
  return `/feed?block=${number}`
}

/** Page of a World. */
export function worldHref(slug: string): string {
  return `/worlds/${encodeURIComponent(slug)}`
}

/** A small picture of something, drawn by the server: `TILE` pixels. */
export function tileHref(kind: EntityKind | 'world' | 'user', name: string): string {
  return `/pictures/${kind}/${encodeURIComponent(name)}.png?size=tile`
}

/** Width and height of the pictures of `tileHref`. */
export const TILE = { width: 480, height: 270 } as const
