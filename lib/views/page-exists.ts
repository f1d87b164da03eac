import type { Services } from '#lib/core/context/context.ts'
import { entityExists } from '#lib/core/entities/get-entity.ts'
import { usersNamed } from '#lib/core/people/users.ts'
import { getWorldBySlug } from '#lib/core/worlds/get-world.ts'
import { parseAddress } from '#lib/protocol/address.ts'
import { ENTITY_KINDS } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { parseHash } from '#lib/protocol/hash.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import { type Query, type RunLink, readRunLink } from '#lib/protocol/run-link.ts'
import { DOC_SECTIONS, docHref, findDoc } from '#lib/server/docs/catalog.ts'
import { getServices } from '#lib/server/services.ts'

const NAMED =
  /^\/((?:network\/)?(?:connectors|transformations|conditions)|formats|users|run|worlds|embed\/connector|embed\/run)\/([^/]+)(?:\/(?:followers|following))?$/

const NICKNAME = /^\/@([^/]+)$/

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
  const nickname = NICKNAME.exec(path)?.[1]
  if (nickname !== undefined) return nicknameExists(nickname)
  const [, section, encoded] = NAMED.exec(path) ?? []
  if (section === undefined || encoded === undefined) return true
  const text = decodeURIComponent(encoded)
  if (section === 'users') return parseAddress(text) !== undefined
  if (section === 'worlds') return text === 'upload' || worldExists(text)
  try {
    const services = await getServices()
    if (section === 'formats') return await formatExists(services, text)
    const kind = ENTITY_KINDS.find((each) => section.endsWith(`${each}s`)) ?? 'connector'
    return isEntityName(text) && (await entityExists(services, kind, text))
  } catch {
    return true
  }
}

async function formatExists({ db }: Services, text: string): Promise<boolean> {
  const hash = parseHash(text)
  if (hash === undefined) return false
  const rows = await db.sql`select 1 from formats where format_hash = ${hash} and connectors > 0`
  return rows.length > 0
}

async function nicknameExists(encoded: string): Promise<boolean> {
  try {
    return (await usersNamed(await getServices(), { name: decodeURIComponent(encoded), limit: 1 })).length > 0
  } catch (error) {
    return !(error instanceof URIError)
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

/** The run that an address below `/run` names. @throws Failure('invalid_request') with all that is wrong with it. */
export function readRunAddress(name: string, search: URLSearchParams): RunLink {
  const read = readRunLink(name, queryOf(search))
  if (!read.ok) throw new Failure('invalid_request', read.problems.join('\n'))
  return read.link
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
