import type { MetricsServices } from '#lib/server/metrics/render-metrics.ts'
import { createHealthDispatcher } from '#lib/server/operations/health/probes.ts'

/** Body of `/readyz`. */
export interface ReadinessWire {
  readonly ready: boolean
  readonly checks: readonly {
    readonly name: string
    readonly ok: boolean
    readonly required: boolean
    readonly sentence: string
    readonly fix?: string
  }[]
}

/** Body of `/status.json`, as far as tests read it. */
export interface StatusWire {
  readonly status: string
  readonly degraded: readonly { readonly code: string; readonly sentence: string; readonly fix: string }[]
  readonly feed: {
    readonly head: number | null
    readonly processed: number | null
    readonly lag_blocks: number | null
    readonly lag_seconds: number | null
    readonly writer: { readonly instance: string } | null
  } | null
}

export interface PageAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Requests one of the machine-readable pages, in this process. */
export async function askPage(
  services: MetricsServices,
  path: string,
  method = 'GET',
  authorization: string | null = null,
): Promise<PageAnswer> {
  const headers = authorization === null ? {} : { authorization }
  const health = createHealthDispatcher({ services: async () => services })
  const response = await health(new Request(`http://localhost${path}`, { method, headers }))
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export async function askReadiness(
  services: MetricsServices,
): Promise<{ readonly status: number; readonly body: ReadinessWire }> {
  const { status, text } = await askPage(services, '/readyz')
  return { status, body: JSON.parse(text) as ReadinessWire }
}

export async function askStatus(
  services: MetricsServices,
): Promise<{ readonly status: number; readonly body: StatusWire }> {
  const { status, text } = await askPage(services, '/status.json')
  return { status, body: JSON.parse(text) as StatusWire }
}
