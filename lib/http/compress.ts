import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Answer } from './answer.ts'

const shrink = promisify(gzip)
const TEXT = /^(?:text\/|application\/(?:javascript|json|wasm)|image\/svg\+xml)/
/** Smaller ones fit into the first packets anyway. */
const SMALLEST = 1_400

/**
 * The answer as a client that takes gzip gets it. Only what clients keep is worth the time: answers of the moment, the
 * largest above all, are made faster than they are compressed.
 */
export async function compressed(answer: Answer, accepted: string | undefined): Promise<Answer> {
  const { status, headers, body } = answer
  if (status !== 200 || !(body instanceof Uint8Array) || body.byteLength < SMALLEST) return answer
  const cache = headers.get('cache-control') ?? ''
  if (/no-store|no-transform/.test(cache) || headers.has('content-encoding')) return answer
  if (!TEXT.test(headers.get('content-type') ?? '')) return answer
  const vary = headers.get('vary')
  headers.set('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`)
  if (accepted === undefined || !/\bgzip\b(?!;\s*q=0(?:\.0*)?(?:,|$))/.test(accepted)) return answer
  const small = await shrink(body)
  headers.set('content-encoding', 'gzip')
  headers.set('content-length', String(small.byteLength))
  return { status, headers, body: small }
}
