import { parseAddress } from '../domain/address.ts'
import { ENTITY_KINDS } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { parseHash } from '../domain/hash.ts'
import { isEntityName } from '../domain/names.ts'
import { getServices } from '../services.ts'
import { getWorldBySlug } from '../worlds/get-world.ts'
import { DOC_SECTIONS, docHref, findDoc } from './docs/catalog.ts'

const NAMED =
  /^\/(connectors|transformations|conditions|formats|users|run|worlds)\/([^/]+)(?:\/(?:followers|following))?$/

/** Texts with an ending are files, which say themselves whether they are there. */
const DOC = /^\/docs\/([^.]+)$/
const DOC_PATHS = DOC_SECTIONS.flatMap(({ entries }) => entries).map(docHref)

/** Pages that say themselves what is missing, and what is near it. */
const EXPLAINED = /^\/(connectors|transformations|conditions|formats)\//

/** Whether the page at a path explains that what it names does not exist. */
export function explainsAbsence(path: string): boolean {
  return EXPLAINED.test(path) && NAMED.test(path)
}

/**
 * Whether a path may be answered with its page: false only when it names an entity, a format, an account or a text of
 * the documentation that does not exist. A server that cannot tell says yes, and leaves the explanation to the page.
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
