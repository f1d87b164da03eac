import type { ObservedAnswer } from '../http/dispatch.ts'
import { processMetrics } from './process-metrics.ts'

/** Methods come from strangers too: those we do not know share one label. */
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Counts the answers of one API. The route is the documented pattern, never the path that was asked for, so that
 * strangers cannot make labels up.
 *
 * @param base For instance `/chain`.
 */
export const observeRequests =
  (base: string) =>
  ({ method, path, status, milliseconds }: ObservedAnswer): void => {
    const { requestSeconds, requests } = processMetrics()
    const labels = {
      route: path === undefined ? 'none' : `${base}${path}`,
      method: METHODS.includes(method) ? method : 'other',
    }
    requests.inc({ ...labels, status: String(status) })
    requestSeconds.observe({ ...labels, status: `${Math.floor(status / 100)}xx` }, milliseconds / 1000)
  }
