import type { PositionedRunningInstance } from './definition.ts'
import type { Hash } from './entity.ts'
import { parseHash } from './hash.ts'
import { isEntityName } from './names.ts'
import { readSlots, type SlotChoice, writeSlots } from './world-slots.ts'

/** A repeatable run, as encoded in the URL of its page. */
export interface RunLink {
  readonly connector: string
  /** 1..65536. */
  readonly count: number
  /** Ascending by position, no repeats; at most 4096. */
  readonly dynamicRi: readonly PositionedRunningInstance[]
  /** The block of a run on chain; absent for a simulation. */
  readonly block?: { readonly number: number; readonly hash: Hash } | undefined
  /** Slug or id of the World it is shown in. */
  readonly world?: string | undefined
  /** Choices of paths for the slots of that World. */
  readonly slots?: readonly SlotChoice[] | undefined
}

/** Longest address that everything on the way to a page passes on. */
export const MAX_LINK_LENGTH = 8000

/** Values of all paths for which a site makes certificates. */
export const MAX_CERTIFIED_VALUES = 16_384

const DEFAULT_COUNT = 64
const MAX_COUNT = 65_536
const MAX_STARTS = 4096
const UINT32 = 4_294_967_295

/** Address of a run's page, always spelled the same way; `part` names what hangs below it. */
export function runHref(link: RunLink, part: '' | '/image' | '/certificate' = ''): string {
  const params = [`count=${link.count}`]
  if (link.dynamicRi.length > 0) params.push(`ri=${writeStarts(link.dynamicRi)}`)
  if (link.block) params.push(`block=${link.block.number}`, `hash=${link.block.hash}`)
  // The picture is of the numbers, wherever they are shown.
  if (link.world !== undefined && part === '') {
    params.push(`world=${link.world}`)
    if (link.slots?.length) params.push(`slots=${writeSlots(link.slots)}`)
  }
  return `/run/${encodeURIComponent(link.connector)}${part}?${params.join('&')}`
}

/** Address that executes at the newest block, and leads on to the page of that run. */
export function newestRunHref({ block: _block, ...link }: RunLink): string {
  return `${runHref(link)}&at=newest`
}

/** `1:60,3:0:2`: position, start, and the shift unless it is 0. */
export function writeStarts(dynamicRi: readonly PositionedRunningInstance[]): string {
  return dynamicRi
    .map(({ position, startPoint, transformationShift: shift }) =>
      [position, startPoint, ...(shift === 0 ? [] : [shift])].join(':'),
    )
    .join(',')
}

export type Query = Readonly<Record<string, string | string[] | undefined>>

export type ReadLink =
  | {
      readonly ok: true
      readonly link: RunLink
      /** The URL names a run on chain at the newest block, whose hash is resolved later. */
      readonly newest: boolean
      /** Spelled as `runHref` spells it. */
      readonly canonical: boolean
    }
  | { readonly ok: false; readonly problems: readonly string[] }

/**
 * Reads the address of a run's page. `start.N` and `shift.N`, as a form without a script sends them, count as `ri`
 * and go before it.
 */
export function readRunLink(connector: string, query: Query): ReadLink {
  const problems: string[] = []
  const one = (name: string): string | undefined => {
    const value = query[name]
    if (!Array.isArray(value)) return value
    problems.push(`${name} is given ${value.length} times: once is enough.`)
    return undefined
  }
  if (!isEntityName(connector)) problems.push('The address names no piece.')
  const count = readCount(one('count'), problems)
  const starts = readStarts(one('ri'), problems)
  const typed = readFields(query, problems)
  for (const start of typed.starts) starts.set(start.position, start)
  if (starts.size > MAX_STARTS) problems.push(`At most ${MAX_STARTS} starts can be set.`)
  const block = readBlock(one('block'), one('hash'), problems)
  const world = readWorld(one('world'), one('slots'), problems)
  const at = one('at')
  if (at !== undefined && at !== 'newest') problems.push('at can only be “newest”.')
  if (problems.length > 0) return { ok: false, problems }
  const dynamicRi = [...starts.values()].sort((a, b) => a.position - b.position)
  return {
    ok: true,
    link: { connector, count, dynamicRi, ...(block && { block }), ...world },
    newest: at === 'newest',
    canonical: !typed.any && at === undefined,
  }
}

function readCount(text: string | undefined, problems: string[]): number {
  if (text === undefined || text === '') return DEFAULT_COUNT
  const count = digits(text, MAX_COUNT)
  if (count !== undefined && count > 0) return count
  problems.push(`count is “${shortened(text)}”: it must be a whole number from 1 to 65,536.`)
  return DEFAULT_COUNT
}

function readStarts(text: string | undefined, problems: string[]): Map<number, PositionedRunningInstance> {
  const starts = new Map<number, PositionedRunningInstance>()
  for (const part of text ? text.split(',', MAX_STARTS + 1) : []) {
    const numbers = part.split(':').map((each) => digits(each, UINT32))
    const [position, startPoint, transformationShift = 0] = numbers
    if (
      position === undefined ||
      startPoint === undefined ||
      numbers.includes(undefined) ||
      numbers.length > 3
    ) {
      problems.push(
        `ri holds “${shortened(part)}”: each start is position:start or position:start:shift, numbers from 0 to 4,294,967,295.`,
      )
      return starts
    }
    if (starts.has(position)) problems.push(`ri sets position ${position} twice.`)
    starts.set(position, { position, startPoint, transformationShift })
  }
  return starts
}

const FIELD = /^(start|shift)\.(\d{1,10})$/

/** An empty field sets nothing; of a pair, the empty one is 0. */
function readFields(query: Query, problems: string[]) {
  const fields = new Map<number, { startPoint: number; transformationShift: number }>()
  let any = false
  for (const [name, value] of Object.entries(query)) {
    const [, which, digitsOfPosition] = FIELD.exec(name) ?? []
    if (which === undefined || digitsOfPosition === undefined) continue
    any = true
    const text = (Array.isArray(value) ? value[0] : value)?.trim() ?? ''
    if (text === '') continue
    const position = digits(digitsOfPosition, UINT32)
    const number = digits(text, UINT32)
    if (position === undefined || number === undefined) {
      problems.push(
        `The ${which} at position ${digitsOfPosition} is “${shortened(text)}”: it must be a whole number from 0 to 4,294,967,295.`,
      )
      continue
    }
    const before = fields.get(position) ?? { startPoint: 0, transformationShift: 0 }
    fields.set(
      position,
      which === 'start' ? { ...before, startPoint: number } : { ...before, transformationShift: number },
    )
  }
  return { any, starts: [...fields].map(([position, instance]) => ({ position, ...instance })) }
}

function readBlock(
  numberText: string | undefined,
  hashText: string | undefined,
  problems: string[],
): RunLink['block'] {
  if (!numberText && !hashText) return undefined
  const number = digits(numberText ?? '', Number.MAX_SAFE_INTEGER)
  const hash = parseHash(hashText ?? '')
  if (number === undefined) problems.push('block must be the number of a block, beside its hash.')
  if (hash === undefined) problems.push('hash must be the hash of the block: 64 hexadecimal digits.')
  return number === undefined || hash === undefined ? undefined : { number, hash }
}

function readWorld(
  world: string | undefined,
  slotsText: string | undefined,
  problems: string[],
): Pick<RunLink, 'world' | 'slots'> | undefined {
  if (!world) return undefined
  if (!/^(?:[a-z0-9-]{1,80}|wld_[a-z2-7]{20})$/.test(world)) {
    problems.push(
      `world is “${shortened(world)}”: it must be the last part of the address of a World, or its id.`,
    )
  }
  if (!slotsText) return { world }
  const slots = readSlots(slotsText)
  if (slots === undefined) problems.push('slots must be slot:connector, separated by commas, each slot once.')
  return { world, ...(slots && { slots }) }
}

function digits(text: string, max: number): number | undefined {
  if (!/^\d{1,16}$/.test(text)) return undefined
  const value = Number(text)
  return value <= max ? value : undefined
}

function shortened(text: string): string {
  return text.length <= 24 ? text : `${text.slice(0, 23)}…`
}

/**
 * URL of a World's page; with a run, of the World showing that run.
 *
 * @param beside Slug of another World that draws the same run.
 * @param slots What was chosen to feed its slots with.
 */
export function worldPageHref(
  slug: string,
  run?: Pick<RunLink, 'connector' | 'count' | 'dynamicRi'>,
  beside?: string,
  slots: readonly SlotChoice[] = [],
): string {
  const page = `/worlds/${encodeURIComponent(slug)}`
  if (run === undefined) return page
  const { connector, count, dynamicRi } = run
  const query = runHref({ connector, count, dynamicRi }).split('?', 2)[1]
  const other = beside === undefined ? '' : `&beside=${encodeURIComponent(beside)}`
  const fed = slots.length === 0 ? '' : `&slots=${writeSlots(slots)}`
  return `${page}?connector=${encodeURIComponent(connector)}&${query}${fed}${other}`
}
