import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Address } from '../../lib/protocol/entity.ts'
import { chainOperations } from '../../lib/server/operations/chain/index.ts'
import { codeRequest, connectorRequest } from '../../lib/ui/studio/document/definition.ts'
import type { Library } from '../../lib/ui/studio/document/parts.ts'
import { problems } from '../../lib/ui/studio/document/problems.ts'
import type { StudioDocument } from '../../lib/ui/studio/document/types.ts'
import { messageOf, startApi, type TestApi } from '../api/harness.ts'
import { likelyDocument } from './document/likely-document.ts'

const DOCUMENTS = 25

const NOTHING: Library = { find: () => 'absent' }

let api: TestApi

beforeAll(async () => {
  api = await startApi(chainOperations)
})

afterAll(() => api.close())

/** Every document belongs to a separate account and has unique names, so that the documents are independent. */
function apart(document: StudioDocument, number: number): StudioDocument {
  const renamed = JSON.stringify(document).replaceAll(/"(c[0-3]|constructor)"/g, `"$1_${number}"`)
  return JSON.parse(renamed) as StudioDocument
}

async function post(document: StudioDocument, token: string): Promise<string[]> {
  const outcomes: string[] = []
  for (const entry of document.entries) {
    const body = entry.kind === 'connector' ? connectorRequest(entry) : codeRequest(entry)
    if (body === undefined) {
      outcomes.push('not a number')
      continue
    }
    const answer = await api.call('POST', `/${entry.kind}`, { token, body })
    outcomes.push(answer.status === 201 ? 'created' : `${answer.status} ${messageOf(answer)}`)
  }
  return outcomes
}

describe('a document without errors', () => {
  it('is what the server takes, and one with errors is refused, entry by entry', async () => {
    const made = fc.sample(likelyDocument, { seed: 11, numRuns: DOCUMENTS })
    const owner = `0x${'5'.repeat(40)}` as Address
    const token = await api.token(owner)
    let created = 0
    let refused = 0
    for (const [number, likely] of made.entries()) {
      const document = apart(likely, number)
      const errors = problems(document, NOTHING).filter(({ severity }) => severity === 'error')
      const outcomes = await post(document, token)
      document.entries.forEach((entry, index) => {
        const own = errors.filter(({ at }) => at.entryId === entry.id).map(({ code }) => code)
        const taken = outcomes[index] === 'created'
        if (taken) created += 1
        else refused += 1
        expect(taken, `${entry.name}: ${outcomes[index]}; here: ${own.join(', ')}`).toBe(own.length === 0)
      })
    }
    expect(Math.min(created, refused)).toBeGreaterThan(10)
  })
})
