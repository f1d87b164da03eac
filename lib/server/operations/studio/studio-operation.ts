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

/** Declares an endpoint behind the studio: only for pages of this site, as `createStudioDispatcher` sees to. */
export function studioOperation<
  const R extends RequestShape = Record<never, never>,
  const A extends Readonly<Record<number, ResponseShape>> = typeof DONE,
>(facts: StudioFacts<R, A>): Operation {
  const foreign = 'The request does not come from a page of this site'
  const forbidden = facts.path.includes('{account}') ? `${foreign}, or is for another account` : foreign
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
