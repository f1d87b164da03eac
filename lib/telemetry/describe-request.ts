import type { OpenSpan } from './tracing.ts'

/** An answer as its span tells it. Patterns of paths, never the paths: those hold what people ask for. */
export interface AnsweredRequest {
  readonly method: string
  /** The documented pattern with the API's base; undefined where no route matched. */
  readonly route: string | undefined
  readonly status: number
  readonly requestId: string
  /** The defect behind a 500. */
  readonly defect: unknown
}

/** Says in a span what became of a request, in the words of OpenTelemetry's conventions. */
export function describeRequest(span: OpenSpan, answered: AnsweredRequest): void {
  const { method, route, status, requestId, defect } = answered
  span.rename(route === undefined ? method : `${method} ${route}`)
  span.set({
    'http.request.method': method,
    'http.response.status_code': status,
    'weft.request_id': requestId,
    ...(route !== undefined && { 'http.route': route }),
  })
  if (status >= 500) span.fail(defect)
}
