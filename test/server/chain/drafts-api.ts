import { afterAll, beforeAll, expect } from 'vitest'
import {
  getCondition,
  getConnector,
  getTransformation,
  headCondition,
  headConnector,
  headTransformation,
  postCondition,
  postConnector,
  postTransformation,
} from '#lib/server/operations/chain/entities.ts'
import { type Answer, startApi, type TestApi } from '#test/support/api.ts'
import { draftArtifact, randomAddress } from './projection.ts'

const _operations = [
  getTransformation,
  headTransformation,
  postTransformation,
  getCondition,
  headCondition,
  postCondition,
  getConnector,
  headConnector,
  postConnector,
]

export let api: TestApi
export const alice = randomAddress()
export const bob = randomAddress()
export let asAlice: string
export let asBob: string

/** Starts the API for the tests of a file, with some drafts of another owner. */
export function draftsApi(): void {
  beforeAll(async () => {
    api = await startApi('chain', { maxDraftsPerOwner: 12 })
    asAlice = await api.token(alice)
    asBob = await api.token(bob)
    // Helpers for every test, of an owner of their own.
    const token = await api.token(randomAddress())
    expect((await transformation('add', 'return x + args[0];', token)).status).toBe(201)
    expect((await transformation('same', 'return x;', token)).status).toBe(201)
    expect((await condition('above', 'return args[0] >= args[1];', token)).status).toBe(201)
    expect(
      (await connector('pitch', [{ transformations: [{ name: 'add', args: [1] }] }], token)).status,
    ).toBe(201)
    expect((await connector('time', [{ transformations: [{ name: 'same' }] }], token)).status).toBe(201)
    expect((await connector('pair', [{ transformations: [] }, { transformations: [] }], token)).status).toBe(
      201,
    )
  })
  afterAll(() => api.close())
}

export function transformation(
  name: string,
  source: string,
  token: string | undefined = asAlice,
): Promise<Answer> {
  return api.send('POST', '/transformation', { token, json: { name, sol_src: source } })
}

export function condition(
  name: string,
  source: string,
  token: string | undefined = asAlice,
): Promise<Answer> {
  return api.send('POST', '/condition', { token, json: { name, sol_src: source } })
}

export function connector(
  name: string,
  dimensions: unknown,
  token: string | undefined = asAlice,
  rest: Record<string, unknown> = {},
): Promise<Answer> {
  return api.send('POST', '/connector', { token, json: { name, dimensions, ...rest } })
}

let lastName = 0
/** A name nothing else uses. */
export function fresh(): string {
  lastName += 1
  return `n${lastName}`
}

/** An account without drafts, so that the limit stays out of the way. */
export function stranger(): Promise<string> {
  return api.token(randomAddress())
}

export async function contentHash(kind: 'transformation' | 'connector', name: string): Promise<string> {
  return (await draftArtifact(api.db, kind, name)).contentHash
}
