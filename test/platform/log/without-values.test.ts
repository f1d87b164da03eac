import { inspect } from 'node:util'
import { sql as statement } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase } from '#lib/platform/db/client.ts'
import { createLog } from '#lib/platform/log/create-log.ts'
import { withoutValues } from '#lib/platform/log/without-values.ts'
import { createDispatcher } from '#lib/server/http/dispatch.ts'
import { chainErrors } from '#lib/server/http/errors.ts'
import { defineOperation } from '#lib/server/http/operation.ts'
import { bareServices } from '#test/support/bare-services.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'

/** Resembles the lines of a stack, and the end of its quotation. */
const SECRET = 'dear" diary"\n    at dear diary'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
  await db.sql`create table notes (text text primary key check (length(text) < 100), kept text not null default '')`
  await db.sql`insert into notes values (${SECRET})`
})
afterAll(() => db?.close())

const long = SECRET.repeat(5)
/** Queries that fail, and the SQLSTATE that is to stay. */
const FAILING = {
  'data that does not fit': { code: '22P02', query: statement`select ${SECRET}::uuid` },
  'a date out of range': { code: '22007', query: statement`select ${SECRET}::date` },
  'broken JSON': { code: '22P02', query: statement`select ${`{"${SECRET}`}::jsonb` },
  'a search of its own language': { code: '42601', query: statement`select to_tsquery(${`${SECRET} &`})` },
  'a key that is there': { code: '23505', query: statement`insert into notes values (${SECRET})` },
  'a check': { code: '23514', query: statement`insert into notes values (${long})` },
  'a missing value': { code: '23502', query: statement`insert into notes values (${'dear diary'}, null)` },
  'a wrong name': { code: '42703', query: statement`select nothing from notes where text = ${SECRET}` },
}

/** Output of a log for an error. */
function logged(error: unknown): string {
  const lines: string[] = []
  createLog({ level: 'info', secrets: [] }, { write: (line) => void lines.push(line) }).error(
    { err: error },
    'failed',
  )
  return lines.join('')
}

function failureOf(asked: PromiseLike<unknown>): Promise<Error> {
  return Promise.resolve(asked).then(
    () => expect.unreachable('the query was to fail'),
    (error: Error) => error,
  )
}

describe.each(Object.entries(FAILING))('of a query refused for %s', (_, { code, query }) => {
  const asked = async () => {
    const ofOrm = await failureOf(db.orm.execute(query))
    const { sql: text, params } = (db.orm as unknown as { dialect: Dialect }).dialect.sqlToQuery(query)
    const ofDriver = await failureOf(db.sql.unsafe(text, params))
    return { ofOrm, ofDriver, text }
  }

  test('a log has code, text and place, and no value', async () => {
    const { ofOrm, ofDriver, text } = await asked()
    // Or there were nothing to take out.
    expect(inspect(ofOrm)).toContain('diary')
    for (const error of [ofOrm, ofDriver, new Error('while saving', { cause: ofOrm })]) {
      const line = logged(error)
      expect(line).not.toContain('diary')
      const { err } = JSON.parse(line) as { err: Told }
      expect(err.cause ?? err).toMatchObject({
        code,
        query: text,
        stack: expect.stringContaining('\n    at '),
      })
    }
  })

  test('nor does what is printed of it', async () => {
    const { ofOrm, ofDriver } = await asked()
    for (const error of [ofOrm, ofDriver, new AggregateError([ofDriver, ofOrm], 'both')]) {
      const printed = inspect(withoutValues(error), { depth: 9 })
      expect(printed).not.toContain('diary')
      expect(printed).toContain(code)
    }
  })
})

interface Told {
  readonly cause?: unknown
}
interface Dialect {
  sqlToQuery(query: unknown): { sql: string; params: string[] }
}

test('errors of anybody else stay as they are, whatever their causes', () => {
  const cause = new Error('below')
  const error = new Error('above', { cause })
  cause.cause = error
  for (const each of [error, new AggregateError([cause]), new TypeError('x'), 'text', undefined, null]) {
    expect(withoutValues(each)).toBe(each)
  }
})

test('an unreachable server is reported, without values', async () => {
  const gone = createDatabase('postgres://nobody@127.0.0.1:1/nothing')
  const error = await failureOf(gone.orm.execute(statement`select ${SECRET}`))
  expect(inspect(error)).toContain('diary')
  const line = logged(error)
  expect(line).not.toContain('diary')
  expect(line).toContain('ECONNREFUSED')
  expect(line).toContain('Failed query: select $1')
})

test('a 500 whose query failed names the request and the query, and no value', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', secrets: [] }, { write: (line) => void lines.push(line) })
  const operation = defineOperation({
    ...{ id: 'GET_note', api: 'chain', method: 'GET', path: '/note', tag: 'core' },
    ...{ summary: 'x', description: 'x', auth: 'none', request: {} },
    responses: { 200: { description: 'x' } },
    handler: async () => {
      await db.orm.execute(FAILING['a key that is there'].query)
      return { status: 200 }
    },
  })
  const dispatch = createDispatcher([operation], {
    base: '/chain',
    services: async () => bareServices({ log }),
    errors: chainErrors,
    authenticate: () => expect.unreachable(),
  })
  const response = await dispatch(new Request('http://x/chain/note'))
  expect(response.status).toBe(500)
  expect(lines.join('')).not.toContain('diary')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    msg: 'request failed',
    requestId: response.headers.get('x-request-id'),
    err: { code: '23505', constraint_name: 'notes_pkey', query: 'insert into notes values ($1)' },
  })
})
