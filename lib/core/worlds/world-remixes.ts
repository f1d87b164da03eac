import type { Context } from '#lib/core/context/context.ts'
import {
  grow,
  MAX_CHILDREN,
  MAX_COUNTED,
  namesOfRemixes,
  type Remixes,
  type RemixRow,
} from '#lib/core/entities/remixes.ts'
import type { World } from './world.ts'

/** The active Worlds that a World was made from, and those made from it. A fixed number of indexed reads. */
export async function findWorldRemixes(ctx: Pick<Context, 'db'>, world: World): Promise<Remixes> {
  const { sql } = ctx.db
  const root = { kind: 'world', name: world.manifest.slug } as const
  const node = sql`'world' as from_kind, at.slug as from_name, 'world' as kind,
    w.slug as name, w.manifest ->> 'name' as title, w.owner`
  const [madeFrom, remixedBy, [counted]] = await Promise.all([
    grow(
      root,
      1,
      (keys) => sql<RemixRow[]>`
      select ${node} from unnest(${keys.map(({ name }) => name)}::text[]) as at(slug)
      join worlds remix on remix.slug = at.slug and remix.status = 'active'
      join worlds w on w.id = remix.manifest ->> 'remixOf' and w.status = 'active'`,
    ),
    grow(
      root,
      MAX_CHILDREN,
      (keys) => sql<RemixRow[]>`
      select ${node} from unnest(${keys.map(({ name }) => name)}::text[]) as at(slug)
      join worlds original on original.slug = at.slug and original.status = 'active'
      cross join lateral (
        select slug, manifest, owner, created_at, id from worlds remix
        where remix.status = 'active' and (remix.manifest ->> 'remixOf') collate "C" = original.id
        order by remix.created_at desc, remix.id limit ${MAX_CHILDREN + 1}
      ) w
      order by w.created_at desc, w.id`,
    ),
    sql<{ count: number }[]>`
      select count(*)::int as count from (
        select 1 from worlds where status = 'active' and (manifest ->> 'remixOf') collate "C" = ${world.id} limit ${MAX_COUNTED}
      ) counted`,
  ])
  const names = await namesOfRemixes(ctx, [madeFrom, remixedBy])
  return { madeFrom, remixedBy, names, count: counted?.count ?? 0 }
}
