/*
 * Stand-ins for the World SDK of the original network, written from its documentation: one release speaks `dcn:world-*`
 * and has its token in `dcnWorldChannel`, the later one speaks `decentralised.art:world-*` and has it in `worldChannel`.
 * Neither knows of the other.
 */

type Release = 'dcn' | 'decentralised.art'

const PARAMETER: Readonly<Record<Release, string>> = {
  dcn: 'dcnWorldChannel',
  'decentralised.art': 'worldChannel',
}

/** The World's side, as a module. */
export function originalRuntime(release: Release): string {
  return `export function createWorldSdk({ worldId }) {
  const channelToken = new URLSearchParams(location.search).get('${PARAMETER[release]}')
  if (!channelToken) throw new Error('no token')
  const listeners = new Set()
  const calls = new Map()
  const post = (kind, fields) =>
    parent.postMessage({ type: '${release}:world-' + kind, worldId, channelToken, ...fields }, '*')
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || data?.channelToken !== channelToken || data.worldId !== worldId) return
    if (data.type === '${release}:world-state') for (const listener of listeners) listener(data)
    if (data.type === '${release}:world-rpc-response') {
      if (data.ok) calls.get(data.requestId)?.resolve(data.result)
      else calls.get(data.requestId)?.reject(Object.assign(new Error(data.error.message), data.error))
      calls.delete(data.requestId)
    }
  })
  return {
    ready: () => post('ready', { protocolVersion: 1 }),
    onState: (listener) => listeners.add(listener),
    reportRendered: (requestId) => post('rendered', { requestId }),
    reportError: (message) => post('error', { message }),
    connectorGet: (name) => new Promise((resolve, reject) => {
      const requestId = String(calls.size + 1)
      calls.set(requestId, { resolve, reject })
      post('rpc-request', { requestId, method: 'connectorGet', params: { name } })
    }),
  }
}
`
}

/** The page's side, as a module. */
export function originalHost(release: Release): string {
  return `export function createWorldHost({ client, iframe, expectedOrigin, onReady, onRendered, onError }) {
  const channelToken = 'cd'.repeat(16)
  let bound
  const post = (kind, fields) =>
    iframe.contentWindow.postMessage({ type: '${release}:world-' + kind, worldId: bound, channelToken, ...fields }, '*')
  addEventListener('message', async ({ source, origin, data }) => {
    if (source !== iframe.contentWindow || origin !== expectedOrigin) return
    if (data?.channelToken !== channelToken || (bound !== undefined && data.worldId !== bound)) return
    if (data.type === '${release}:world-ready' && data.protocolVersion === 1) {
      bound = data.worldId
      onReady(data)
    }
    if (bound === undefined) return
    if (data.type === '${release}:world-rendered') onRendered(data)
    if (data.type === '${release}:world-error') onError(data)
    if (data.type === '${release}:world-rpc-request')
      post('rpc-response', { requestId: data.requestId, ok: true, result: await client[data.method](data.params.name) })
  })
  return {
    get worldId() { return bound ?? '' },
    worldUrl(url) {
      const result = new URL(url, location.href)
      result.searchParams.set('${PARAMETER[release]}', channelToken)
      return result.href
    },
    pushState: (state) => post('state', state),
  }
}
`
}
