import type { Context } from '../context.ts'
import { Failure } from '../domain/failure.ts'
import { type InspectedBody, inspectBody } from './inspect-body.ts'
import type { Body, Slice } from './slice.ts'

export type InspectedSlice = readonly (Body & { readonly result: InspectedBody })[]

/** Wall clock for all bodies of a document together. */
const PATIENCE_MS = 30_000

/**
 * Compiles the bodies of a document, one after another: a document takes one place in the compiler's queue.
 *
 * @throws Failure('overloaded'), Failure('rejected') when it takes too long.
 */
export async function compileSlice(ctx: Context, { bodies }: Slice): Promise<InspectedSlice> {
  const enough = AbortSignal.timeout(PATIENCE_MS)
  const signal = AbortSignal.any([ctx.signal, enough])
  const inspected = []
  try {
    for (const body of bodies) inspected.push({ ...body, result: await inspectBody(ctx, body, signal) })
  } catch (error) {
    if (!enough.aborted || ctx.signal.aborted) throw error
    throw new Failure(
      'rejected',
      `The bodies take longer than ${PATIENCE_MS / 1000} seconds to compile together; simplify them`,
    )
  }
  return inspected
}
