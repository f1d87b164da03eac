import { answerHealth } from '../../lib/api/health/answer-health.ts'
import type { MetricsServices } from '../../lib/metrics/render-metrics.ts'

/** What `/readyz` says. */
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

/** What `/status.json` says, as far as tests look. */
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

/** Asks one of the pages for machines, in this process. */
export const askPage = async (
  services: MetricsServices,
  path: string,
  method = 'GET',
  authorization: string | null = null,
): Promise<PageAnswer> => {
  const response = await answerHealth(path, { method, authorization }, { services: async () => services })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export const askReadiness = async (
  services: MetricsServices,
): Promise<{ readonly status: number; readonly body: ReadinessWire }> => {
  const { status, text } = await askPage(services, '/readyz')
  return { status, body: JSON.parse(text) as ReadinessWire }
}

export const askStatus = async (
  services: MetricsServices,
): Promise<{ readonly status: number; readonly body: StatusWire }> => {
  const { status, text } = await askPage(services, '/status.json')
  return { status, body: JSON.parse(text) as StatusWire }
}
