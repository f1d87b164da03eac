import type { Services } from '../context.ts'
import { createAnswerMemory } from '../http/answer-memory.ts'
import { type NodeHandler, serveNode } from '../http/serve-node.ts'
import { observeRequests } from '../metrics/observe-requests.ts'
import { stampsNow } from '../registry/read-stamps.ts'
import { createChainDispatcher } from './chain/dispatcher.ts'
import { createServicesDispatcher } from './services/dispatcher.ts'
import { createStudioDispatcher } from './studio/dispatcher.ts'

/**
 * The APIs on Node's own HTTP server, with a memory for what many read.
 *
 * @returns A function from the path of a request to what answers it; undefined for what is of no API.
 */
export function nodeApis(services: () => Promise<Services>): (path: string) => NodeHandler | undefined {
  let known: Services | undefined
  const memory = createAnswerMemory({
    stamps: () =>
      known
        ? stampsNow(known)
        : services().then((made) => {
            known = made
            return stampsNow(made)
          }),
  })
  const options = (base: string) => ({ services, observe: observeRequests(base) })
  const chain = serveNode(createChainDispatcher(options('/chain')), memory)
  const people = serveNode(createServicesDispatcher(options('/services')), memory)
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
