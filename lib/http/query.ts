import { Failure } from '../domain/failure.ts'
import { decodeSegment } from './router.ts'

/**
 * Reads the known keys of a query string, decoded. Unknown keys are ignored, however odd.
 *
 * @param search With or without the leading `?`.
 * @throws {Failure} `invalid_request` for a repeated known key or a broken encoding of its value.
 */
export function readQuery(search: string, known: ReadonlySet<string>): Record<string, string> {
  const values: Record<string, string> = {}
  for (const pair of search.replace(/^\?/, '').split('&')) {
    const cut = pair.indexOf('=')
    const key = decode(cut < 0 ? pair : pair.slice(0, cut))
    if (key === undefined || !known.has(key)) continue
    const value = decode(cut < 0 ? '' : pair.slice(cut + 1))
    if (value === undefined) throw new Failure('invalid_request', `${key}: broken percent-encoding`)
    if (Object.hasOwn(values, key)) throw new Failure('invalid_request', `${key}: given more than once`)
    values[key] = value
  }
  return values
}

function decode(text: string): string | undefined {
  return decodeSegment(text.replaceAll('+', ' '))
}
