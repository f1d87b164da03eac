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
 */
export function scrubOutput(): void {
  if (globalThis.weftScrubsOutput) return
  globalThis.weftScrubsOutput = true
  const scrub = createScrubber(process.env)
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

/** Variables whose whole value is secret. */
const SECRETS = [
  'CHAIN_TOKEN_KEY',
  'SESSION_KEY',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'SPONSOR_PRIVATE_KEY',
  'ETHERSCAN_API_KEY',
  'METRICS_TOKEN',
]
/** URLs that may contain a secret in their path or query, as those of paid nodes do. */
const ADDRESSES = ['CHAIN_RPC_URL', 'WORKER_RPC_URL', 'CHAIN_WS_URL', 'DATABASE_URL']
/** Shorter secrets would match ordinary words. */
const SHORTEST_SECRET = 8

/**
 * Returns a function that removes secrets from log output. Works on text, because error messages quote requests, URLs of
 * nodes and query parameters.
 *
 * @param env Environment with the known secrets.
 */
export function createScrubber(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const known = [
    ...SECRETS.map((name) => env[name]),
    ...ADDRESSES.flatMap((name) => addressesIn(env[name]).flatMap(secretsIn)),
  ]
    .map((secret) => secret?.trim() ?? '')
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    // Longest first, as one secret may contain another.
    .sort((a, b) => b.length - a.length)
  return (text) => {
    let clean = text
    for (const secret of known) if (clean.includes(secret)) clean = clean.replaceAll(secret, '[secret]')
    for (const [shape, instead] of SHAPES) clean = clean.replace(shape, instead)
    return clean
  }
}

/** A variable as one URL, and as a list of them. */
function addressesIn(value = ''): string[] {
  return [value, ...value.split(',')]
}

/** Password, path and query of a URL. */
function secretsIn(address: string | undefined): string[] {
  const url = URL.parse(address ?? '')
  if (url === null) return []
  // The path of a database is its name.
  const behind = url.protocol.startsWith('postgres') ? [] : [url.pathname.slice(1) + url.search]
  return [url.password, ...behind]
}
