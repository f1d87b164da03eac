import type { Context } from '../context.ts'
import { type InspectedBody, inspectBody } from './inspect-body.ts'
import type { Body } from './slice.ts'

/**
 * What the compiler says about one unsaved body. Nothing is stored.
 *
 * @throws Failure('overloaded')
 */
export function compile(ctx: Context, body: Omit<Body, 'name'>): Promise<InspectedBody> {
  return ctx.previewGate.pass(() => inspectBody(ctx, { ...body, name: 'unnamed' }, ctx.signal), ctx.client)
}
