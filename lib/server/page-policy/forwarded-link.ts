/** Punctuation that follows a link in a sentence, and invisible characters: as they are, or escaped. */
const MARKS =
  /(?:[.,;:!?)\]}>'"*]|%(?:29|5D|7D|3E|27|22|2C|C2%BB|C2%AD|E2%80%8[B-F]|E2%80%99|E2%80%9D|EF%BB%BF))+$/i

/**
 * The address that a link had before a messenger took it for longer than it was, or escaped its fragment; undefined for
 * one that nothing was done to. Whether there is such a page is another question.
 *
 * @param url Path and query, as they were sent.
 */
export function withoutMarks(url: string): string | undefined {
  const [path = '', fragment] = url.split(/%23(.*)/is)
  if (fragment !== undefined && /^\/[^/\\]/.test(path)) {
    try {
      return `${path}#${encodeURI(decodeURIComponent(fragment))}`
    } catch {
      return undefined
    }
  }
  const bare = url.replace(MARKS, '')
  return bare !== url && /^\/[^/\\]/.test(bare) ? bare : undefined
}
