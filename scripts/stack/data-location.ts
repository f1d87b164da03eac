import { randomBytes } from 'node:crypto'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { giveTo, isReachable, postgresUser, sharedFolder } from './postgres-user.ts'

/**
 * The real folder behind `wanted`. PostgreSQL refuses to run as root, and the account it runs as instead may be
 * kept out of the project's folder (`/root`, a private temporary folder): then `wanted` becomes a link to a folder
 * that it can reach.
 */
export function reachableDataDir(wanted: string): string {
  const user = postgresUser()
  if (!user) return wanted
  const isLink = lstatSync(wanted, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  if (isLink && existsSync(wanted)) return realpathSync(wanted)
  if (!isLink && isReachable(wanted, user)) return wanted
  removeAbandoned()
  const target = join(sharedFolder(), `postgres-${randomBytes(6).toString('hex')}`)
  mkdirSync(target, { mode: 0o700 })
  // Data that was put back from a copy, or made while the account could still reach it.
  if (!isLink && existsSync(wanted)) cpSync(wanted, target, { recursive: true, verbatimSymlinks: true })
  for (const entry of readdirSync(target, { recursive: true, encoding: 'utf8' }))
    giveTo(join(target, entry), user)
  giveTo(target, user)
  rmSync(wanted, { recursive: true, force: true })
  symlinkSync(target, wanted)
  // Last, because another start takes a record without its link for abandoned.
  writeFileSync(`${target}${LINK}`, wanted)
  return target
}

/** Ends the name of the file that says which link leads to a folder. */
const LINK = '.link'

/** Data whose project folder was deleted. */
function removeAbandoned(): void {
  const shared = sharedFolder()
  for (const entry of readdirSync(shared)) {
    if (!entry.endsWith(LINK)) continue
    const target = join(shared, entry.slice(0, -LINK.length))
    const link = readFileSync(join(shared, entry), 'utf8')
    if (existsSync(link) && existsSync(target) && realpathSync(link) === realpathSync(target)) continue
    rmSync(target, { recursive: true, force: true })
    rmSync(join(shared, entry), { force: true })
  }
}
