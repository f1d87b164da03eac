import type postgres from 'postgres'
import { type Cell, copyRows } from './copy-rows.ts'
import { accountOf } from './network.ts'
import { seededRandom, words } from './random.ts'

const FOLLOWED = 4

/** Users with names, each of whom follows a few; a few are followed by many. */
export async function fillPeople(sql: postgres.Sql, { users }: { readonly users: number }): Promise<void> {
  const random = seededRandom(2)
  await copyRows(
    sql,
    'users',
    'address, status, display_name, search_text, created_at, updated_at',
    (function* (): Generator<Cell[]> {
      for (let index = 0; index < users; index++) {
        const name = `${words(random)} ${index.toString(36)}`
        const time = new Date(index * 1000).toISOString()
        yield [accountOf(index), index % 100 === 99 ? 'deleted' : 'active', name, name, time, time]
      }
    })(),
  )
  await copyRows(
    sql,
    'follows',
    'follower, followed, created_at',
    (function* (): Generator<Cell[]> {
      for (let index = 0; index < users; index++) {
        const chosen = new Set(Array.from({ length: FOLLOWED }, () => random.popular(users)))
        chosen.delete(index)
        for (const followed of chosen)
          yield [accountOf(index), accountOf(followed), new Date(0).toISOString()]
      }
    })(),
  )
}
