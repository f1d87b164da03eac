import type { Services } from '#lib/core/context/context.ts'
import type { Dispatcher } from '../http/dispatch.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { fromWebRequest, toWebResponse } from '../http/web-adapter.ts'

const PATH = /^\/chains\/([^/]+)(\/.*)?$/

/** Splits the path of a further chain into the chain's part, `/chains/8453`, and the rest. */
export function splitChainPath(path: string): { readonly id: string; readonly rest: string } | undefined {
  const [, id, rest = ''] = PATH.exec(path) ?? []
  return id === undefined ? undefined : { id, rest }
}

/**
 * An API of every chain of the site, below `/chains/{id}`.
 *
 * @param base Of the API below the chain's part, for instance `/chain`.
 * @param create Makes the API of one chain.
 */
export function perChain(
  base: string,
  services: () => Promise<Services>,
  create: (options: { readonly base: string; readonly services: () => Promise<Services> }) => Dispatcher,
): Dispatcher {
  const dispatchers = new Map<string, Dispatcher>()
  const open = (id: string): Dispatcher => {
    // Another spelling of a number would be another address of the same thing.
    const chainId = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined
    const made: Dispatcher = create({
      base: `/chains/${id}${base}`,
      services: async () => {
        const found = await (await services()).chains.on(chainId)
        // Only those of chains that are served stay.
        dispatchers.set(id, made)
        return found
      },
    })
    return made
  }
  const handle = (request: ApiRequest): Promise<ApiResponse> => {
    const { id = '' } = splitChainPath(request.pathname) ?? {}
    return (dispatchers.get(id) ?? open(id)).handle(request)
  }
  const dispatch = async (request: Request) => toWebResponse(await handle(fromWebRequest(request)))
  return Object.assign(dispatch, { handle })
}
