import { getServices } from '../context/services.ts'
import { parseAddress } from '../protocol/address.ts'
import { ENTITY_KINDS } from '../protocol/entity.ts'
import { Failure } from '../protocol/failure.ts'
import { parseHash } from '../protocol/hash.ts'
import { isEntityName } from '../protocol/names.ts'
import { type Query, readRunLink } from '../protocol/run-link.ts'
import { DOC_SECTIONS, docHref, findDoc } from '../server/docs/catalog.ts'
import { getWorldBySlug } from '../worlds/get-world.ts'

const NAMED =
  /^\/(connectors|transformations|conditions|formats|users|run|worlds)\/([^/]+)(?:\/(?:followers|following))?$/

/** Paths with an extension are files, with handlers of their own. */
const DOC = /^\/docs\/([^.]+)$/
const DOC_PATHS = DOC_SECTIONS.flatMap(({ entries }) => entries).map(docHref)

/** Pages that explain a missing entity themselves. */
const EXPLAINED = /^\/(connectors|transformations|conditions|formats)\//

/** Whether the page at a path explains that what it names does not exist. */
export function explainsAbsence(path: string): boolean {
  return EXPLAINED.test(path) && NAMED.test(path)
}

/**
 * Whether a path may be answered with its page: false only when it names an entity, a format, an account or a text of
 * the documentation that does not exist. True when the database cannot be read.
 */
export async function pageExists(path: string): Promise<boolean> {
  const doc = DOC.exec(path)?.[1]
  if (doc !== undefined) return findDoc(doc) !== undefined || DOC_PATHS.includes(path)
  const [, section, encoded] = NAMED.exec(path) ?? []
  if (section === undefined || encoded === undefined) return true
  const text = decodeURIComponent(encoded)
  if (section === 'users') return parseAddress(text) !== undefined
  if (section === 'worlds') return text === 'upload' || worldExists(text)
  const formatHash = parseHash(text) ?? null
  if (section === 'formats' ? formatHash === null : !isEntityName(text)) return false
  try {
    const { sql } = (await getServices()).db
    const kind =
      section === 'run' ? 'connector' : (ENTITY_KINDS.find((each) => section === `${each}s`) ?? null)
    const [row] = await sql<{ found: boolean }[]>`
      select exists (select 1 from formats where format_hash = ${formatHash} and connectors > 0)
        or exists (select 1 from entities where kind = ${kind} and name = ${text})
        or exists (select 1 from drafts where kind = ${kind} and name = ${text}) as found`
    return row?.found ?? true
  } catch {
    return true
  }
}

async function worldExists(slug: string): Promise<boolean> {
  try {
    await getWorldBySlug(await getServices(), slug)
    return true
  } catch (error) {
    return !(error instanceof Failure)
  }
}

/** Whether an address is an invalid link to a run: the page explains what is wrong with it. */
export function isBrokenRunLink(url: string): boolean {
  // Not every address of a request is a URL.
  if (!url.startsWith('/run/')) return false
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const [, name] = /^\/run\/([^/]+)$/.exec(pathname) ?? []
  return name !== undefined && !readRunLink(decodeURIComponent(name), queryOf(searchParams)).ok
}

/** Query parameters as Next passes them to pages. */
export function queryOf(params: URLSearchParams): Query {
  return Object.fromEntries(
    [...new Set(params.keys())].map((key) => {
      const values = params.getAll(key)
      return [key, values.length === 1 ? values[0] : values]
    }),
  )
}
