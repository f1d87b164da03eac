/**
 * What proves who somebody is, by its shape: tokens of both APIs, sealed cookies, signatures, and raw transactions,
 * which are signed, too. Shorter hex is left: hashes and addresses say what a line is about. What comes before a sign
 * that has to follow is bounded: a line may hold a path that somebody wrote to be looked at from each of its letters.
 */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\bBearer\s+[^\s"'\\,;]+/gi, 'Bearer [token]'],
  [/\beyJ[\w-]{8,200}\.[\w-]+\.[\w-]+/g, '[token]'],
  [/\b[0-9a-f]{64}\.[0-9a-f]{64}\b/g, '[token]'],
  [/\bFe26\.2\*[^\s"'\\,;]+/g, '[cookie]'],
  [/\b0x[0-9a-fA-F]{128,}/g, '[bytes]'],
  // The name and password of an address.
  [/(\b[a-z][a-z+]{0,20}:\/\/)[^\s/"'@\\]+@/gi, '$1[secret]@'],
]

/** Variables that are secrets as they are. */
const SECRETS = [
  'CHAIN_TOKEN_KEY',
  'SESSION_KEY',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'METRICS_TOKEN',
]
/** Addresses that may carry a secret behind their host, as those of paid nodes do. */
const ADDRESSES = ['CHAIN_RPC_URL', 'CHAIN_WS_URL', 'DATABASE_URL']
/** A shorter one would be found in innocent words. */
const SHORTEST_SECRET = 8

/**
 * Takes what nobody should find in a log out of what is about to be written to it.
 *
 * Errors are why it looks at text, not at fields: those of the chain's client quote the request and the node's address,
 * those of the database what it was asked with.
 *
 * @param env What the process was given, with the secrets it knows.
 */
export function createScrubber(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const known = [...SECRETS.map((name) => env[name]), ...ADDRESSES.flatMap((name) => secretsIn(env[name]))]
    .map((secret) => secret?.trim() ?? '')
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    // Whole before part.
    .sort((a, b) => b.length - a.length)
  return (text) => {
    let clean = text
    for (const secret of known) if (clean.includes(secret)) clean = clean.replaceAll(secret, '[secret]')
    for (const [shape, instead] of SHAPES) clean = clean.replace(shape, instead)
    return clean
  }
}

/** The password of an address, and what stands behind its host. */
function secretsIn(address: string | undefined): string[] {
  const url = URL.parse(address ?? '')
  if (url === null) return []
  // The path of a database is its name.
  const behind = url.protocol.startsWith('postgres') ? [] : [url.pathname.slice(1) + url.search]
  return [url.password, ...behind]
}
