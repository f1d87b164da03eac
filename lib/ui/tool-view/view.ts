/*
 * What a host shows of a tool's result (MCP Apps, SEP-1865): runs, a comparison, a World or a publication plan. It runs in
 * a sandboxed frame without any network, and talks to the host alone. Everything in results was written by strangers:
 * text only, never markup.
 */
import { drawResult } from './draw.ts'

const { site = '' } = document.body.dataset
const root = document.body.appendChild(document.createElement('main'))
let input: Readonly<Record<string, unknown>> = {}

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
}

interface HostContext {
  readonly theme?: unknown
  readonly styles?: { readonly variables?: Readonly<Record<string, unknown>> }
}

const INITIALIZE = 1
let requests = INITIALIZE

function send(message: object): void {
  parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
}

/** Asks the host to open a page of the site in a browser. */
function openLink(path: string): void {
  requests += 1
  send({ id: requests, method: 'ui/open-link', params: { url: site + path } })
}

function adopt({ theme, styles }: HostContext): void {
  if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith('--') && typeof value === 'string') {
      document.documentElement.style.setProperty(name, value)
    }
  }
}

addEventListener('message', ({ source, data }: MessageEvent<Message | null>) => {
  if (source !== parent || data === null || typeof data !== 'object') return
  const { id, method, params = {}, result } = data
  if (method === undefined) {
    if (id !== INITIALIZE || result === undefined) return
    adopt((result.hostContext ?? {}) as HostContext)
    send({ method: 'ui/notifications/initialized', params: {} })
  } else if (method === 'ui/notifications/tool-input') {
    input = (params.arguments ?? {}) as typeof input
  } else if (method === 'ui/notifications/tool-result') {
    root.replaceChildren(...drawResult(params, input, openLink))
  } else if (method === 'ui/notifications/host-context-changed') {
    adopt(params)
  } else if (id !== undefined) {
    send({ id, result: {} })
  }
})

new ResizeObserver(() => {
  const { width, height } = document.documentElement.getBoundingClientRect()
  send({
    method: 'ui/notifications/size-changed',
    params: { width: Math.ceil(width), height: Math.ceil(height) },
  })
}).observe(document.documentElement)

send({
  id: INITIALIZE,
  method: 'ui/initialize',
  params: {
    protocolVersion: '2026-01-26',
    appInfo: { name: 'weft', version: '1' },
    appCapabilities: { availableDisplayModes: ['inline'] },
  },
})
