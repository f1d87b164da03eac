import { expect } from 'vitest'
import type { Services } from '#lib/core/context/context.ts'
import { issueChainToken } from '#lib/core/identity/chain-token.ts'
import type { Config } from '#lib/platform/config.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { ERROR_STATUS, type ErrorCode } from '#lib/server/http/errors.ts'
import { documentedFailures, type Operation } from '#lib/server/http/operation.ts'
import { createChainDispatcher } from '#lib/server/operations/chain/dispatcher.ts'
import { chainOperations } from '#lib/server/operations/chain/index.ts'
import { errorResponse, publishError } from '#lib/server/operations/chain/response-schemas.ts'
import { startServices, type TestServices } from '#test/support/services.ts'
import { servedByNode } from './adapters.ts'

export interface Sent {
  readonly token?: string
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly text?: string | Uint8Array<ArrayBuffer>
  /** `Content-Type`; `application/json` by default. */
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly operationId: string | undefined
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
  /** What broke, of a 500. */
  readonly defect: unknown
}

/**
 * The whole chain API in this process as the built site serves it, on a new database; every response is validated
 * against its schema.
 */
export interface ContractApi extends TestServices {
  send(method: string, path: string, sent?: Sent): Promise<Answer>
  token(account: Address): Promise<string>
}

const STREAM = 'text/event-stream'

const byId = new Map<string, (typeof chainOperations)[number]>(
  chainOperations.map((operation) => [operation.id, operation]),
)

export async function startContractApi(
  config: Partial<Config> = {},
  parts: Partial<Services> = {},
): Promise<ContractApi> {
  const started = await startServices(config, parts)
  const { services } = started
  const observed = new Map<string, { operationId: string | undefined; error: unknown }>()
  const dispatch = createChainDispatcher({
    services: async () => services,
    validateResponses: true,
    observe: ({ requestId, operationId, error }) => observed.set(requestId, { operationId, error }),
  })
  const served = await servedByNode(dispatch)
  return {
    ...started,
    send: async (method, path, { token, json, text, type = 'application/json', headers: more } = {}) => {
      const body = text ?? (json === undefined ? undefined : JSON.stringify(json))
      const headers = new Headers({ ...more, ...(body !== undefined && { 'Content-Type': type }) })
      if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
      for (const name in more) headers.set(name, more[name] as string)
      const response = await served.send(`/chain${path}`, { method, headers, body: body ?? null })
      const requestId = response.headers.get('x-request-id') ?? ''
      const { operationId, error } = observed.get(requestId) ?? { operationId: undefined, error: undefined }
      observed.delete(requestId)
      const received = await textOf(response)
      const answer: Answer = {
        operationId,
        status: response.status,
        headers: response.headers,
        body: received === '' ? undefined : JSON.parse(received),
        defect: error,
      }
      checkShape(answer, byId.get(operationId ?? ''), method)
      return answer
    },
    token: (account) => issueChainToken(services, account),
    close: async () => {
      await served.close()
      await started.close()
    },
  }
}

/** A stream has no end to wait for. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== STREAM) return response.text()
  await response.body?.cancel()
  return ''
}

/** What holds for every answer whatever was sent. Successes were held against their schema by the dispatcher. */
function checkShape(answer: Answer, operation: Operation | undefined, method: string): void {
  const { status, headers, body } = answer
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
