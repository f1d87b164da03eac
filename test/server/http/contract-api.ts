import { expect } from 'vitest'
import type { Services } from '#lib/core/context/context.ts'
import type { Config } from '#lib/platform/config.ts'
import { ERROR_STATUS, type ErrorCode } from '#lib/server/http/errors.ts'
import { documentedFailures, type Operation } from '#lib/server/http/operation.ts'
import { chainOperations } from '#lib/server/operations/chain/index.ts'
import { errorResponse, publishError } from '#lib/server/operations/chain/response-schemas.ts'
import { type Answer, endpointsOf, type Sent, startApi, type TestApi } from '#test/support/api.ts'
import { servedByNode } from './adapters.ts'

const STREAM = 'text/event-stream'

const byId = new Map<string, (typeof chainOperations)[number]>(
  chainOperations.map((operation) => [operation.id, operation]),
)

/** The whole chain API in this process as the built site serves it, on a new database. */
export async function startContractApi(
  config: Partial<Config> = {},
  parts: Partial<Services> = {},
): Promise<TestApi> {
  const api = await startApi('chain', config, parts)
  const endpoints = endpointsOf('chain', api.services, (path, init) => served.send(path, init))
  const served = await servedByNode(endpoints.dispatch)
  return {
    ...api,
    send: async <Json>(method: string, path: string, sent?: Sent) => {
      const answer = await endpoints.send<Json>(method, path, sent)
      checkShape(answer, byId.get(answer.operationId ?? ''), method)
      return answer
    },
    close: async () => {
      await served.close()
      await api.close()
    },
  }
}

/** Properties of every answer whatever was sent. Successes were held against their schema by the dispatcher. */
function checkShape(answer: Answer, operation: Operation | undefined, method: string): void {
  const { status, headers, json: body } = answer
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  const code = headers.get('x-error-code')
  expect(code === null ? undefined : ERROR_STATUS[code as ErrorCode]).toBe(
    status >= 400 || code !== null ? status : undefined,
  )
  if (method === 'HEAD' || status === 204) {
    expect(body).toBeUndefined()
    expect(headers.get('content-type')).toBeNull()
    return
  }
  if (operation?.responses[status]?.contentType === STREAM) {
    expect(headers.get('content-type')).toBe(STREAM)
    return
  }
  expect(headers.get('content-type')).toBe('application/json')
  if (operation?.responses[status] === undefined) {
    const schema = operation?.errors === 'publication' ? publishError : errorResponse
    expect(schema.parse(body)).toEqual(body)
  }
  if (operation !== undefined && status !== 500) {
    const documented = [
      ...Object.keys(operation.responses).map(Number),
      ...documentedFailures(operation).keys(),
    ]
    expect(documented, `${operation.id} answered ${status}`).toContain(status)
  }
}
