import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '#lib/core/context/context.ts'
import { bodyExamples } from '#lib/core/entities/body-examples.ts'
import { openPlaces } from '#lib/platform/limits/places.ts'
import { principalOf } from '#lib/platform/limits/principal.ts'
import { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import { project } from '#test/server/chain/projection.ts'
import { testConfig } from '#test/support/config.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { Shelf } from '#test/support/definitions.ts'

/** A page of an account asks for so many tiles at once. */
const BODIES = 26
/** Time for one of the three lines of a body. */
const LINE_MS = 120
/** A tenth of it is what one body may take, many times what it does; all together take more than that. */
const TIMEOUT_MS = 40_000

let db: TestDatabase

beforeAll(async () => {
  db = await createTestDatabase()
  const shelf = new Shelf()
  for (let i = 0; i < BODIES; i++) await project(db, shelf.code('transformation', `body_${i}`, 1))
})
afterAll(() => db?.close())

test('every tile of a page of bodies has numbers: none is refused, and waiting takes nothing of its time', async () => {
  const ctx = {
    db,
    config: { simulate: { timeoutMs: TIMEOUT_MS } },
    clock: () => new Date(),
    signal: new AbortController().signal,
    principal: principalOf('192.0.2.1'),
    places: openPlaces(new UsageLedger(), testConfig()),
    explainer: {
      tryBody: async () => {
        await sleep(LINE_MS)
        return { values: [1, 2, 3, 4, 5] }
      },
    },
  } as unknown as Context
  const found = await Promise.all(
    Array.from({ length: BODIES }, (_, i) => bodyExamples(ctx, 'transformation', `body_${i}`)),
  )
  expect(found.map((examples) => examples?.kind === 'transformation' && examples.lines.length)).toEqual(
    Array(BODIES).fill(3),
  )
})
