import { withoutValues } from './without-values.ts'

declare global {
  // Next bundles `instrumentation.ts` apart from the server's own code; the two share no module, only the process.
  var weftScrubsOutput: boolean | undefined
}

/** Console methods that frameworks log errors with. */
const CONSOLE_METHODS = ['error', 'warn', 'log'] as const

/**
 * Removes secrets from everything this process prints, because libraries and frameworks write errors to the console
 * directly. Call first; later calls do nothing. Also ignores errors of a closed pipe, which would otherwise be unhandled
 * and printed again.
 *
 * @param secrets Names of variables.
 */
export function scrubOutput(secrets: readonly string[]): void {
  if (globalThis.weftScrubsOutput) return
  globalThis.weftScrubsOutput = true
  const scrub = createScrubber(process.env, secrets)
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream)
    stream.write = ((text: unknown, ...rest: never[]) =>
      write(typeof text === 'string' ? scrub(text) : (text as Uint8Array), ...rest)) as typeof stream.write
    stream.on('error', () => undefined)
  }
  // Before formatting: in text the extent of a value is unknown.
  for (const method of CONSOLE_METHODS) {
    const print = console[method].bind(console)
    console[method] = (...values: unknown[]) => print(...values.map(withoutValues))
  }
}

/**
 * Patterns of credentials: tokens of both APIs, sealed cookies, signatures and signed transactions. Shorter hex (hashes,
 * addresses) stays. Repetitions before a required character are bounded, against quadratic matching of hostile paths.
 */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\bBearer\s+[^\s"'\\,;]+/gi, 'Bearer [token]'],
  [/\beyJ[\w-]{8,200}\.[\w-]+\.[\w-]+/g, '[token]'],
  [/\b[0-9a-f]{64}\.[0-9a-f]{64}\b/g, '[token]'],
  [/\bFe26\.2\*[^\s"'\\,;]+/g, '[cookie]'],
  [/\b0x[0-9a-fA-F]{128,}/g, '[bytes]'],
  // User and password of a URL.
  [/(\b[a-z][a-z+]{0,20}:\/\/)[^\s/"'@\\]+@/gi, '$1[secret]@'],
]

/** Shorter secrets would match ordinary words. */
const SHORTEST_SECRET = 8

/**
 * Returns a function that removes secrets from log output. Works on text, because error messages quote requests, URLs of
 * nodes and query parameters.
 *
 * @param env Environment with the known secrets.
 * @param secrets Names of its variables that hold them.
 */
export function createScrubber(
  env: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[],
): (text: string) => string {
  const secretTexts = secrets
    .flatMap((name) => secretsIn(env[name]?.trim() ?? ''))
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    // Longest first, as one secret may contain another.
    .sort((a, b) => b.length - a.length)
  return (text) => {
    let clean = text
    for (const secret of secretTexts) if (clean.includes(secret)) clean = clean.replaceAll(secret, '[secret]')
    for (const [shape, instead] of SHAPES) clean = clean.replace(shape, instead)
    return clean
  }
}

/** The parts of a value that logs must not show: of one or several URLs those that may be secret, else all of it. */
function secretsIn(value: string): string[] {
  const addresses = [value, ...value.split(',')].flatMap((part) => URL.parse(part.trim()) ?? [])
  if (addresses.some(({ host }) => host !== '')) return addresses.flatMap(secretsOf)
  // A private key with or without its prefix, and each of several headers.
  const parts = value.split(',').map((part) => part.slice(part.indexOf('=') + 1).trim())
  return [value, value.replace(/^0x/i, ''), ...parts]
}

/** Password, path and query of a URL. */
function secretsOf({ protocol, password, pathname, search }: URL): string[] {
  // The path of a database is its name.
  const behind = protocol.startsWith('postgres') ? [] : [pathname.slice(1) + search]
  return [password, decoded(password), ...behind]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
