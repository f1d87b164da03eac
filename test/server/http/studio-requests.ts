import { expect } from 'vitest'
import { createStudioDispatcher } from '#lib/server/operations/studio/dispatcher.ts'
import { studioOperations } from '#lib/server/operations/studio/index.ts'
import { SAME_ORIGIN } from '#test/features/preview/studio-api.ts'
import { bundleForm } from '#test/support/form.ts'
import { type ServicesApi, startServicesApi } from '../services/harness.ts'
import { SITE } from '../services/people.ts'
import { statusMatrix } from './status-matrix.ts'

export const matrix = statusMatrix(studioOperations)
const seen = new Map<string, { operationId: string | undefined; error: unknown }>()

export interface Studio {
  readonly api: ServicesApi
  readonly fetch: (request: Request) => Promise<Response>
}

export interface Sent {
  readonly token?: string
  readonly json?: unknown
  readonly body?: BodyInit
  readonly bundle?: Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

export async function startStudio(...made: Parameters<typeof startServicesApi>): Promise<Studio> {
  const api = await startServicesApi(...made)
  const fetch = createStudioDispatcher({
    services: async () => api.services,
    validateResponses: true,
    observe: ({ requestId, operationId, error }) => seen.set(requestId, { operationId, error }),
  })
  return { api, fetch }
}

export async function send({ fetch }: Pick<Studio, 'fetch'>, method: string, path: string, sent: Sent = {}) {
  const form = sent.bundle && (await bundleForm(sent.bundle))
  const body = form?.body ?? sent.body ?? (sent.json === undefined ? null : JSON.stringify(sent.json))
  const response = await fetch(
    new Request(`${SITE}/studio/api${path}`, {
      method,
      headers: {
        ...SAME_ORIGIN,
        ...(body !== null && { 'content-type': 'application/json' }),
        ...form?.headers,
        ...(sent.token !== undefined && { authorization: `Bearer ${sent.token}` }),
        ...sent.headers,
      },
      body,
      ...(body instanceof ReadableStream && { duplex: 'half' as const }),
    }),
  )
  const text = await response.text()
  const { operationId, error: defect } = seen.get(response.headers.get('x-request-id') ?? '') ?? {}
  return { operationId, status: response.status, text, headers: response.headers, defect }
}

/** Sends a request and holds it to the operation and the status that the test is about. */
export async function reach(studio: Studio, pair: string, method: string, path: string, sent: Sent = {}) {
  const answer = await send(studio, method, path, sent)
  const why = [answer.text, answer.defect instanceof Error ? answer.defect.stack : ''].join('\n').trim()
  expect(`${answer.operationId} ${answer.status}`, why).toBe(pair)
  matrix.reach(pair)
  if (answer.status >= 400) expect(JSON.parse(answer.text)).toEqual({ message: expect.stringMatching(/./) })
  return answer
}
