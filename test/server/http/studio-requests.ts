import { expect } from 'vitest'
import { studioOperations } from '#lib/server/operations/studio/index.ts'
import { type Endpoints, endpointsOf, type Sent, startApi, type TestApi } from '#test/support/api.ts'
import { statusMatrix } from './status-matrix.ts'

export const matrix = statusMatrix(studioOperations)

/** The studio's endpoints, beside the services API over the same database. */
export interface Studio extends Endpoints {
  readonly api: TestApi
}

export async function startStudio(...[config, parts]: StartParameters): Promise<Studio> {
  const api = await startApi('services', config, parts)
  return { api, ...endpointsOf('studio', api.services) }
}

type StartParameters = Parameters<typeof startApi> extends [unknown, ...infer Rest] ? Rest : never

/** Sends a request and holds it to the operation and the status that the test is about. */
export async function reach(studio: Studio, pair: string, method: string, path: string, sent: Sent = {}) {
  const answer = await studio.send(method, path, sent)
  const why = [answer.text, answer.defect instanceof Error ? answer.defect.stack : ''].join('\n').trim()
  expect(`${answer.operationId} ${answer.status}`, why).toBe(pair)
  matrix.reach(pair)
  if (answer.status >= 400) expect(answer.json).toEqual({ message: expect.stringMatching(/./) })
  return answer
}
