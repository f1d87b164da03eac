/** Longest quotation of a node. */
const MAX_WORDS = 200

/**
 * Makes the text of a node's error fit to be shown to anyone: one line, bounded, without URLs and without long words that
 * could be keys. Hashes and addresses with `0x` stay.
 *
 * @param text Whatever stands where the text should be: nodes and error objects leave it out, or send something else.
 * @returns undefined when nothing is left.
 */
export function nodeWords(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  // Bounded before matching: a node may send megabytes.
  const words = text
    .slice(0, 4 * MAX_WORDS)
    .replace(/[\p{Cc}\p{Cf}\s"<>]+/gu, ' ')
    .replace(/\b[a-z][a-z+.-]{1,20}:\/\/\S+/gi, '[address]')
    .replace(/\b(?!0x[0-9a-f]{8,64}\b)(?=\S{0,80}\d)[\w-]{20,}/gi, '[…]')
    .trim()
  if (words === '') return undefined
  return words.length <= MAX_WORDS ? words : `${words.slice(0, MAX_WORDS - 1).trimEnd()}…`
}

/** Shorter parts of a URL are ordinary words. */
const SHORTEST_SECRET = 6

/** Returns a function that removes from a node's text what its own URL may hold of keys: path, query and password. */
export function urlScrubber(address: string): (text: string) => string {
  const url = URL.parse(address)
  if (url === null) return (text) => text
  const parts = [...url.pathname.split('/'), ...url.searchParams.values(), url.username, url.password]
  const secrets = parts.filter((part) => part.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length)
  return (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, '[…]'), text)
}

/** The words of the node among those of an error page or of a JSON-RPC error, whatever its shape. */
export function wordsOfBody(body: string): string | undefined {
  try {
    const parsed = JSON.parse(body) as unknown
    const message = findMessage(parsed)
    return message === undefined ? undefined : nodeWords(message)
  } catch {
    // An error page of a proxy says nothing in its markup.
    return /^\s*</.test(body) ? undefined : nodeWords(body)
  }
}

function findMessage(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || depth > 3) return undefined
  if (Array.isArray(value)) return findMessage(value[0], depth + 1)
  const { message, error, detail } = value as Readonly<Record<string, unknown>>
  return [message, error, detail]
    .map((each) => findMessage(each, depth + 1))
    .find((each) => each !== undefined)
}
