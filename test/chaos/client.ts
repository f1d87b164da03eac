import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../simulation/random.ts'
import { patience } from './awake.ts'
import type { Report } from './report.ts'

/** Longer than any fault lasts, and than the site waits for anything. */
const PATIENCE_MS = 25_000
const LONGEST_PAUSE_MS = 1_000

export interface ChaosAnswer {
  /** 0 when the connection ended before the answer did. */
  readonly status: number
  /** Undefined unless the answer is JSON. */
  readonly json: unknown
  readonly bytes: Uint8Array
}

export interface Ask {
  readonly token?: string | undefined
  readonly body?: unknown
  readonly form?: FormData
}

/** A program that uses the network: it asks any of the sites, and takes what it hears with a grain of salt. */
export interface Client {
  ask(method: string, path: string, ask?: Ask): Promise<ChaosAnswer>
  /** Address of one of the sites, for streams. */
  site(): string
}

/** Nobody can tell from this answer whether the work was done. */
export function isUnsure({ status }: ChaosAnswer): boolean {
  return status === 0 || status >= 500
}

export function describe({ status, bytes }: ChaosAnswer): string {
  return `${status} ${new TextDecoder().decode(bytes).slice(0, 300)}`
}

/**
 * A fault may cost an answer, or turn it into 502, 503 or 504. It may neither keep a request waiting for ever nor make a
 * defect of it.
 */
export function createClient(sites: readonly string[], random: Random, report: Report): Client {
  const site = () => random.pick(sites)
  return {
    site,
    async ask(method, path, { token, body, form } = {}) {
      const headers = new Headers()
      headers.set('Origin', sites[0] as string)
      if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
      if (body !== undefined) headers.set('Content-Type', 'application/json')
      const what = `${method} ${path.replace(/\?.*/, '')}`
      const waiting = patience(PATIENCE_MS)
      try {
        const response = await fetch(site() + path, {
          method,
          headers,
          body: form ?? (body === undefined ? null : JSON.stringify(body)),
          signal: waiting.signal,
        })
        const bytes = new Uint8Array(await response.arrayBuffer())
        const text = new TextDecoder().decode(bytes)
        const { status } = response
        report.count(`answers ${status}`)
        if (status === 500) report.violation(`${what}: 500 ${text}`)
        if (status === 429) await sleep(LONGEST_PAUSE_MS)
        const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
        return { status, json: isJson && text !== '' ? JSON.parse(text) : undefined, bytes }
      } catch (error) {
        if (error instanceof DOMException && error.name === 'TimeoutError') {
          report.violation(`${what}: no answer within ${PATIENCE_MS / 1000} s`)
        }
        report.count('answers none')
        return { status: 0, json: undefined, bytes: new Uint8Array(0) }
      } finally {
        waiting.stop()
      }
    },
  }
}
