import type { Services } from '#lib/core/context/context.ts'
import { type NodeHandler, serveNode } from '../http/node-adapter.ts'
import { observeRequests } from '../metrics/process-metrics.ts'
import { createChainDispatcher } from './chain/dispatcher.ts'
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
  return (path) => {
    if (isBelow(path, '/chain')) return chain
    if (isBelow(path, '/services')) return people
    return isBelow(path, '/studio/api') ? studio : undefined
  }
}

function isBelow(path: string, base: string): boolean {
  return path.startsWith(base) && (path.length === base.length || path[base.length] === '/')
}
