import { parseEther } from 'viem/utils'
import { z } from 'zod'
import { parseAddress } from '#lib/protocol/address.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import { hasBidiControls, isEntityName } from '#lib/protocol/names.ts'

/*
 * Checks of environment variables, which parse their text too. Error messages complete `<VARIABLE> …`.
 */

const MIN_KEY_BYTES = 32
const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

export function integer(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be a whole number from ${min} to ${max}`)
}

export const milliseconds = integer(10, 3_600_000)
export const threads = integer(1, 256)
export const queue = integer(0, 100_000)
export const port = integer(1, 65_535)
export const chainId = integer(1, 999_999_999_999_999)
export const httpUrl = url(['http:', 'https:'], 'https://rpc.example')

/** Returns the addresses of a list, in order and each once. */
export function nodeUrls(list: string): string[] {
  return [...new Set(partsOf(list))]
}

function partsOf(list: string): string[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Addresses of nodes, separated by commas; kept as text, because programs pass it on. */
export const httpUrls = z
  .string()
  .refine(
    (value) => nodeUrls(value).length > 0 && nodeUrls(value).every((each) => httpUrl.safeParse(each).success),
    'must be a URL like https://rpc.example, or several separated by commas',
  )
/** Requests a minute; 0 for no limit. */
export const rate = integer(0, 1_000_000)
export const count = integer(1, 1_000_000)
export const gas = z
  .string()
  .regex(/^[1-9]\d{0,17}$/, 'must be a positive whole number of gas units')
  .transform(BigInt)

/** Amount of the chain's currency, in wei. */
export const amount = z
  .string()
  .regex(/^\d{1,9}(?:\.\d{1,18})?$/, "must be an amount of the chain's currency like 0.01")
  .transform((value) => parseEther(value))

/** Private key of an account; the message never contains it. */
export const privateKey = z
  .string()
  .regex(/^(?:0x)?[0-9a-fA-F]{64}$/, 'must be a private key: 32 bytes in hex')
  .transform((value): Hex => `0x${value.replace(/^0x/, '').toLowerCase()}`)
  .refine((value) => BigInt(value) > 0n && BigInt(value) < SECP256K1_ORDER, 'must be a private key in range')

export const fraction = z
  .string()
  .regex(/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/, 'must be a number from 0 to 1')
  .transform(Number)

/** `name=value,name=value`, values percent-encoded, as OpenTelemetry's own variable has it. */
export const headerList = z.string().transform((value, ctx) => {
  const pairs = value.split(',').map((pair) => /^\s*([\w-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(pair))
  try {
    if (pairs.every((pair) => pair !== null)) {
      return Object.fromEntries(
        pairs.map(([, name = '', encoded = '']) => [name, decodeURIComponent(encoded)]),
      )
    }
  } catch {
    // Reported below.
  }
  ctx.addIssue({ code: 'custom', message: 'must be headers like name=value,other=value, percent-encoded' })
  return z.NEVER
})

export const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((value) => value === 'true' || value === '1')

export const address = z.string().transform((value, ctx) => {
  const parsed = parseAddress(value)
  if (parsed) return parsed
  ctx.addIssue({ code: 'custom', message: 'must be an address: 0x and 40 hex digits' })
  return z.NEVER
})

function url(schemes: readonly string[], example: string) {
  return z.string().refine((value) => {
    const parsed = URL.parse(value)
    return parsed !== null && schemes.includes(parsed.protocol)
  }, `must be a URL like ${example}`)
}

export const origin = z.string().transform((value, ctx) => {
  const parsed = URL.parse(value)
  const plain =
    parsed?.pathname === '/' &&
    parsed.search === '' &&
    parsed.hash === '' &&
    parsed.username === '' &&
    parsed.password === '' &&
    // Origins become sources of policies, where `*`, `;` and `'`, which host names may contain, mean more.
    /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]+)?$/.test(parsed.host)
  if (parsed && plain && (parsed.protocol === 'http:' || parsed.protocol === 'https:')) return parsed.origin
  ctx.addIssue({ code: 'custom', message: 'must be an origin like https://weft.example, without a path' })
  return z.NEVER
})

export function list<Output>(item: z.ZodType<Output, string>) {
  return z.string().transform(partsOf).pipe(z.array(item))
}

export const secret = z.string().transform((value, ctx) => {
  const bytes = /^(?:[0-9a-fA-F]{2})+$/.test(value)
    ? Buffer.from(value, 'hex')
    : /^[A-Za-z0-9+/_-]+={0,2}$/.test(value)
      ? Buffer.from(value, 'base64')
      : undefined
  if (bytes && bytes.length >= MIN_KEY_BYTES) return new Uint8Array(bytes)
  ctx.addIssue({
    code: 'custom',
    message: `must be at least ${MIN_KEY_BYTES} bytes as hex or base64: take the output of \`openssl rand -hex 32\``,
  })
  return z.NEVER
})

export const postgresUrl = url(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/name')
export const webSocketUrl = url(['ws:', 'wss:'], 'wss://rpc.example')
export const receiverUrl = url(['http:', 'https:'], 'http://localhost:4318')
export const explorerUrl = url(['http:', 'https:'], 'https://etherscan.io').transform((value) =>
  value.replace(/\/+$/, ''),
)
export const blockTag = z.enum(['latest', 'safe', 'finalized'], 'must be latest, safe or finalized')
export const logLevel = z.enum(
  ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
  'must be trace, debug, info, warn, error, fatal or silent',
)

export function text(pattern: RegExp, message: string) {
  return z.string().regex(pattern, message)
}

/** A line that pages show as it is. */
export function siteText(most: number) {
  return z
    .string()
    .max(most, `must be at most ${most} characters`)
    .refine(
      (value) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value) && !hasBidiControls(value),
      'must be one line of plain text',
    )
}

export const contactUrl = url(
  ['http:', 'https:', 'mailto:'],
  'https://weft.example/contact or mailto:us@weft.example',
)

const MAX_SISTERS = 24

/** Another deployment, of another chain. */
export interface SisterSite {
  /** Common name of its chain. */
  readonly name: string
  readonly origin: string
}

/** `Base=https://base.weft.example`, several separated by commas. */
export const sisterSites = z.string().transform((value, ctx): readonly SisterSite[] => {
  const sites = partsOf(value).map((part) => {
    const [, name, site] = /^([^=<>\p{C}]{1,60}?)\s*=\s*(\S+)$/u.exec(part) ?? []
    const parsed = origin.safeParse(site)
    return name !== undefined && parsed.success ? { name, origin: parsed.data } : undefined
  })
  if (sites.length <= MAX_SISTERS && sites.every((site) => site !== undefined)) return sites
  ctx.addIssue({
    code: 'custom',
    message: `must be at most ${MAX_SISTERS} sites like Base=https://base.weft.example, separated by commas`,
  })
  return z.NEVER
})

const MAX_FEATURED = 48

const FEATURED_WORLD = /^worlds\/([a-z0-9][a-z0-9-]{0,63})$/

/** Names of connectors, and Worlds as `worlds/SLUG`: any account can publish a World under the name of a connector. */
export const featuredNames = list(
  z
    .string()
    .refine(
      (each) => isEntityName(each) || FEATURED_WORLD.test(each),
      'must be names of connectors, and worlds/SLUG for Worlds, separated by commas',
    ),
)
  .refine((each) => each.length <= MAX_FEATURED, `must be at most ${MAX_FEATURED} names`)
  .transform((each) => ({
    connectors: each.filter(isEntityName),
    worlds: each.flatMap((one) => FEATURED_WORLD.exec(one)?.[1] ?? []),
  }))

/** A token that callers send in `Authorization`. */
export const bearer = text(/^[\w.~+/=-]{16,200}$/, 'must be 16 to 200 letters, digits, and . _ ~ + / = -')

export const BUCKET_VARIABLES = [
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const

const PAIRS = [['REGISTRY_ADDRESS', 'RUNNER_ADDRESS']] as const

/** Returns a problem for each variable that is missing beside others which need it. */
export function problemsOfGroups(has: (name: string) => boolean): string[] {
  const problems = PAIRS.flatMap(([first, second]) => {
    if (has(first) === has(second)) return []
    const [one, other] = has(first) ? [first, second] : [second, first]
    return [`${other} is missing: ${one} is set, and the two belong together`]
  })
  const missing = BUCKET_VARIABLES.filter((name) => !has(name))
  if (missing.length === BUCKET_VARIABLES.length) return problems
  return [
    ...problems,
    ...missing.map((name) => `${name} is missing: ${BUCKET_VARIABLES.join(', ')} belong together`),
  ]
}

/** @param nodes As `WORKER_RPC_URL` or `CHAIN_RPC_URL` lists them; undefined where neither is set. */
export function problemsOfQuorum(quorum: number, nodes: string | undefined): string[] {
  if (quorum <= 1 || nodes === undefined || nodeUrls(nodes).length >= quorum) return []
  return ['NODE_QUORUM needs at least two nodes: name them in CHAIN_RPC_URL or WORKER_RPC_URL']
}

/** Returns a problem for each variable that only the embedded stack can do without. */
export function missingVariables(has: (name: string) => boolean): string[] {
  const url = 'DATABASE_URL is missing: set it to postgres://user:password@host:5432/name, or use `npm start`'
  const key = 'is missing: set it to the output of `openssl rand -hex 32`, or use `npm start`'
  const keys = ['CHAIN_TOKEN_KEY', 'SESSION_KEY'].filter((name) => !has(name))
  return [...(has('DATABASE_URL') ? [] : [url]), ...keys.map((name) => `${name} ${key}`)]
}

/** Lists every invalid variable with its fix. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Whether a variable is set to something. */
export function has(env: Environment, name: string): boolean {
  return (env[name] ?? '').trim() !== ''
}
