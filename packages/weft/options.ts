import { parseArgs } from 'node:util'

/** The command line cannot be understood: the message says what to change. */
export class UsageError extends Error {}

const OPTIONS = {
  as: { type: 'string' },
  block: { type: 'string' },
  chain: { type: 'boolean', default: false },
  count: { type: 'string', short: 'n', default: '16' },
  format: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
  json: { type: 'boolean', default: false },
  'key-file': { type: 'string' },
  kind: { type: 'string' },
  limit: { type: 'string' },
  'max-cost': { type: 'string', default: '0.05' },
  name: { type: 'string' },
  node: { type: 'string', multiple: true },
  present: { type: 'string' },
  out: { type: 'string', short: 'o' },
  owner: { type: 'string' },
  since: { type: 'string', default: '0' },
  site: { type: 'string' },
  start: { type: 'string', multiple: true },
  title: { type: 'string' },
  version: { type: 'boolean', default: false },
} as const

export type Options = ReturnType<typeof parse>['values']

/** Splits a command line. @throws UsageError */
export function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Scheme, host and port of the site. @throws UsageError */
export function siteOf({ site = process.env.WEFT ?? 'http://localhost:3000' }: Options): string {
  return httpUrl(site, '--site (or WEFT)').href.replace(/\/+$/, '')
}

/** The nodes to read from. @throws UsageError */
export function nodesOf({ node = [] }: Options): string[] {
  if (node.length === 0)
    throw new UsageError('Name a node of the chain: --node https://…, more than once for more trust')
  return node.map((url) => httpUrl(url, '--node').href)
}

function httpUrl(text: string, option: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url
  throw new UsageError(`${option} must be an address like https://weft.example, not "${text}"`)
}

/** A whole number of an option. @throws UsageError */
export function whole(text: string, option: string, most: number): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (number <= most) return number
  throw new UsageError(`${option} must be a whole number up to ${most}, not "${text}"`)
}

const UINT32 = 4_294_967_295

/** Starts of running instances: `position=start` or `position=start:shift`, ascending. @throws UsageError */
export function startsOf({ start = [] }: Options) {
  const starts = start.map((text) => {
    const [, position, startPoint, shift = '0'] = /^(\d+)=(\d+)(?::(\d+))?$/.exec(text) ?? []
    if (position === undefined || startPoint === undefined) {
      throw new UsageError(
        `--start must be position=start or position=start:shift, like 1=100:2, not "${text}"`,
      )
    }
    return {
      position: whole(position, '--start', UINT32),
      startPoint: whole(startPoint, '--start', UINT32),
      transformationShift: whole(shift, '--start', UINT32),
    }
  })
  starts.sort((a, b) => a.position - b.position)
  const repeated = starts.find(({ position }, index) => position === starts[index + 1]?.position)
  if (repeated !== undefined)
    throw new UsageError(
      `--start names position ${repeated.position} more than once: give each position one start`,
    )
  return starts
}

/**
 * Refuses starts of positions that a connector does not have: a run ignores them.
 *
 * @param paths A run of the connector, whose paths name every dimension on their way.
 * @throws UsageError
 */
export function requirePositions(
  connector: string,
  starts: readonly { readonly position: number }[],
  paths: readonly { readonly path: string }[],
): void {
  const last = starts.at(-1)
  if (last === undefined) return
  const dimensions = new Set<string>()
  for (const { path } of paths) {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
      dimensions.add(path.slice(0, end))
  }
  if (last.position > dimensions.size) {
    throw new UsageError(
      `--start names position ${last.position}, and ${connector} has positions 0 to ${dimensions.size}`,
    )
  }
}

/** One of a few words. @throws UsageError */
export function oneOf<Word extends string>(text: string, words: readonly Word[], option: string): Word {
  const match = words.find((word) => word === text)
  if (match !== undefined) return match
  throw new UsageError(`${option} must be ${words.join(', ')}, not "${text}"`)
}
