import { Failure } from '#lib/protocol/failure.ts'

/** Deepest nesting accepted; the deepest documented body has seven levels. */
export const MAX_JSON_DEPTH = 32

/**
 * Reads JSON as I-JSON (RFC 7493): no repeated keys anywhere, no lone surrogates, no number that a double would
 * change. Objects come back with `__proto__`, `constructor` and the like as ordinary own properties.
 *
 * @throws {Failure} `invalid_request` with the problem and its position.
 * @example
 * readJson('{"a":1,"a":1}') // Failure: Repeated key "a" at character 7
 */
export function readJson(text: string): unknown {
  const value = parse(text)
  if (!text.isWellFormed()) throw invalid('The body holds a lone surrogate')
  scan(text)
  return value
}

function parse(text: string): unknown {
  if (text.trim() === '') throw invalid('The body is empty; a JSON value is expected')
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ').slice(0, 200) : 'not JSON'
    throw invalid(`The body is not valid JSON: ${reason}`)
  }
}

/**
 * Finds what `JSON.parse` accepts silently. The text is known to be valid JSON, so that a string is a string and
 * whatever else starts like a number is one.
 */
function scan(text: string): void {
  /** One entry an open bracket: the keys seen so far of an object, `undefined` for an array. */
  const open: (Set<string> | undefined)[] = []
  let expectKey = false
  let at = 0
  while (at < text.length) {
    const char = text[at] as string
    if (char === '"') {
      const end = stringEnd(text, at)
      const raw = text.slice(at, end)
      const escaped = raw.includes('\\')
      if (escaped || expectKey) {
        const value = escaped ? (JSON.parse(raw) as string) : raw.slice(1, -1)
        if (!value.isWellFormed()) throw invalid(`A string at character ${at} holds a lone surrogate`)
        if (expectKey) {
          const keys = open.at(-1)
          if (keys?.has(value)) throw invalid(`Repeated key ${quote(value)} at character ${at}`)
          keys?.add(value)
          expectKey = false
        }
      }
      at = end
      continue
    }
    if (char === '-' || (char >= '0' && char <= '9')) {
      const end = numberEnd(text, at)
      const raw = text.slice(at, end)
      if (!survivesDouble(raw)) throw invalid(`The number ${raw.slice(0, 40)} cannot be represented exactly`)
      at = end
      continue
    }
    if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : undefined)
      if (open.length > MAX_JSON_DEPTH) throw invalid(`JSON is nested deeper than ${MAX_JSON_DEPTH} levels`)
      expectKey = char === '{'
    } else if (char === '}' || char === ']') {
      open.pop()
      expectKey = false
    } else if (char === ',') {
      expectKey = open.at(-1) !== undefined
    }
    at += 1
  }
}

function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function numberEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && '0123456789.eE+-'.includes(text[at] as string)) at += 1
  return at
}

/**
 * Whether an integer reads as itself and a fraction as a fraction: 1.00000000000000000001 must not pass for 1, nor
 * 9007199254740993 for its neighbour. A fraction's own rounding is of no interest.
 */
function survivesDouble(raw: string): boolean {
  if (raw.length <= 15 && !/[.eE]/.test(raw)) return true
  const value = Number(raw)
  if (!Number.isFinite(value)) return false
  const match = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(raw)
  if (match === null) return false
  const fraction = match[2] ?? ''
  const digits = (match[1] + fraction).replace(/^0+/, '')
  if (digits === '') return true
  const significant = digits.replace(/0+$/, '')
  const exponent = Number(match[3] ?? 0) - fraction.length + (digits.length - significant.length)
  if (exponent < 0) return !Number.isInteger(value)
  return Number.isSafeInteger(value)
}

/** A name from a client, as it may appear in a message: quoted, escaped, bounded. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}

/** The message for fields that the schema does not have. */
export function unknownFields(keys: readonly string[]): string {
  return `unknown field ${keys.slice(0, 3).map(quote).join(', ')}`
}

function invalid(message: string): Failure {
  return new Failure('invalid_request', message)
}
