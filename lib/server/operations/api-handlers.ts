import type { Services } from '#lib/core/context/context.ts'
import type { Dispatcher } from '../http/dispatch.ts'
import { type NodeHandler, serveNode } from '../http/node-adapter.ts'
import { observeRequests } from '../metrics/process-metrics.ts'
import { createChainDispatcher } from './chain/dispatcher.ts'
import { perChain, splitChainPath } from './per-chain.ts'
import { createServicesDispatcher } from './services/dispatcher.ts'
import { createStudioDispatcher } from './studio/dispatcher.ts'

/**
 * The APIs on Node's own HTTP server.
 *
 * @returns A function from the path of a request to its handler; undefined for a path of no API.
 */
export function apiHandlers(services: () => Promise<Services>): (path: string) => NodeHandler | undefined {
  const options = (base: string) => ({ services, observe: observeRequests(base) })
  const chain = serveNode(createChainDispatcher(options('/chain')))
  const people = serveNode(createServicesDispatcher(options('/services')))
  const studio = serveNode(createStudioDispatcher(options('/studio/api')))
  const chains = serveNode(createChainsDispatcher(services))
  const studios = serveNode(createStudiosDispatcher(services))
  return (path) => {
    const further = splitChainPath(path)
    if (further !== undefined) {
      if (isBelow(further.rest, '/chain')) return chains
      return isBelow(further.rest, '/studio/api') ? studios : undefined
    }
    if (isBelow(path, '/chain')) return chain
    if (isBelow(path, '/services')) return people
    return isBelow(path, '/studio/api') ? studio : undefined
  }
}

/** The chain API of every chain of the site, below `/chains/{id}/chain`. */
export function createChainsDispatcher(services: () => Promise<Services>): Dispatcher {
  const observe = observeRequests('/chains/{id}/chain')
  return perChain('/chain', services, (options) => createChainDispatcher({ ...options, observe }))
}

/** The endpoints behind the studio for every chain of the site. */
export function createStudiosDispatcher(services: () => Promise<Services>): Dispatcher {
  const observe = observeRequests('/chains/{id}/studio/api')
  return perChain('/studio/api', services, (options) => createStudioDispatcher({ ...options, observe }))
}

function isBelow(path: string, base: string): boolean {
  return path.startsWith(base) && (path.length === base.length || path[base.length] === '/')
}
