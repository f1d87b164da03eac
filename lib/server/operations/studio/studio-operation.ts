import {
  defineOperation,
  type Operation,
  type OperationFacts,
  type OperationHandler,
  type RequestShape,
  type ResponseShape,
} from '../../http/operation.ts'

const DONE = { 204: { description: 'Done' } } as const

type Implied = 'api' | 'tag' | 'cors' | 'auth' | 'request' | 'responses'

interface StudioFacts<R extends RequestShape, A extends Readonly<Record<number, ResponseShape>>>
  extends Omit<OperationFacts<R, A>, Implied> {
  /** By default `session`: for the signed-in account. */
  readonly auth?: 'none' | 'optional' | 'session'
  readonly request?: R
  /** By default a 204. */
  readonly responses?: A
  readonly handler: OperationHandler<NoInfer<R>, NoInfer<A>>
}

const FOREIGN = 'The request does not come from a page of this site'

/** Declares an endpoint behind the studio: only for pages of this site, as `createStudioDispatcher` sees to. */
export function studioOperation<
  const R extends RequestShape = Record<never, never>,
  const A extends Readonly<Record<number, ResponseShape>> = typeof DONE,
>(facts: StudioFacts<R, A>): Operation {
  const forbidden = facts.path.includes('{account}') ? `${FOREIGN}, or is for another account` : FOREIGN
  return defineOperation<R, A>({
    api: 'studio',
    tag: 'studio',
    cors: 'session',
    auth: 'session',
    request: {} as R,
    responses: DONE as unknown as A,
    ...facts,
    failures: { 403: forbidden, ...facts.failures },
  })
}

/** An endpoint that pages of this site and programs have alike. */
export interface SharedOperation {
  readonly studio: Operation
  /** The same below the services API, by its bearer token. */
  readonly services: Operation
}

/**
 * Declares an endpoint of an account behind the studio, and the same as an addition to the services API.
 *
 * @param facts As for `studioOperation`; `tag` is that of the services API, and a 403 leaves out what both have of their own.
 */
export function sharedOperation<
  const R extends RequestShape = Record<never, never>,
  const A extends Readonly<Record<number, ResponseShape>> = typeof DONE,
>({ tag, ...facts }: Omit<StudioFacts<R, A>, 'auth'> & { readonly tag: string }): SharedOperation {
  const own = facts.failures?.[403]
  const another = facts.path.includes('{account}') ? 'The token is of another account' : undefined
  const refused = own ?? another
  return {
    studio: studioOperation<R, A>({
      ...facts,
      failures: { ...facts.failures, ...(own !== undefined && { 403: `${FOREIGN}; or: ${own}` }) },
    }),
    services: defineOperation<R, A>({
      api: 'services',
      tag,
      auth: 'session',
      errors: 'text',
      addition: true,
      request: {} as R,
      responses: DONE as unknown as A,
      ...facts,
      failures: { ...facts.failures, ...(refused !== undefined && { 403: refused }) },
    }),
  }
}
