import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/**
 * The real folder behind `dataDir`. PostgreSQL refuses to run as root, and its replacement account may have no access to
 * the project's folder (`/root`, a private temporary folder): then `dataDir` becomes a link to a folder that it can
 * reach.
 */
export function reachableDataDir(dataDir: string): string {
  const user = postgresUser()
  if (!user) return dataDir
  const isLink = lstatSync(dataDir, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  if (isLink && existsSync(dataDir)) return realpathSync(dataDir)
  if (!isLink && isReachable(dataDir, user)) return dataDir
  removeAbandoned()
  const target = join(sharedFolder(), `postgres-${randomBytes(6).toString('hex')}`)
  mkdirSync(target, { mode: 0o700 })
  // Data that was put back from a copy, or made while the account could still reach it.
  if (!isLink && existsSync(dataDir)) cpSync(dataDir, target, { recursive: true, verbatimSymlinks: true })
  for (const entry of readdirSync(target, { recursive: true, encoding: 'utf8' }))
    giveTo(join(target, entry), user)
  giveTo(target, user)
  rmSync(dataDir, { recursive: true, force: true })
  symlinkSync(target, dataDir)
  // Last, because another start takes a record without its link for abandoned.
  writeFileSync(`${target}${LINK}`, dataDir)
  return target
}

/** Suffix of the file that names the link to a folder. */
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

/** The unprivileged account that PostgreSQL runs as when we are root, which PostgreSQL refuses to be. */
export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/** Undefined when the current user will do. */
export function postgresUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const account = systemUser('postgres') ?? systemUser('nobody')
  if (account) return account
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], { stdio: 'pipe' })
  } catch (cause) {
    throw new Error(
      'PostgreSQL does not run as root, and no account `postgres` could be made for it. ' +
        'Start as another user, or set DATABASE_URL to a running PostgreSQL.',
      { cause },
    )
  }
  return systemUser('postgres')
}

function systemUser(name: string): SystemUser | undefined {
  let passwd = ''
  try {
    passwd = readFileSync('/etc/passwd', 'utf8')
  } catch {
    return undefined
  }
  for (const line of passwd.split('\n')) {
    const [account, , uid, gid] = line.split(':')
    if (account === name && uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  return undefined
}

/** Whether that account may pass through every folder above `path`. */
function isReachable(path: string, user: SystemUser): boolean {
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    if (existsSync(folder)) {
      const { mode, uid, gid } = statSync(folder)
      const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
      if ((mode & bit) === 0) return false
    }
    if (folder === dirname(folder)) return true
  }
}

/** Root's own place for what the other account must reach while the project's folder is closed to it. */
function sharedFolder(): string {
  const folder = existsSync('/var/lib') ? '/var/lib/weft' : join(tmpdir(), 'weft-shared')
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  return folder
}

/** A copy of the PostgreSQL installation that the account can reach; made once for each version. */
export function reachableCopy(installation: string, version: string, user: SystemUser): string {
  if (isReachable(join(installation, 'bin', 'postgres'), user)) return installation
  const copy = join(sharedFolder(), `postgresql-${version}`)
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`
    cpSync(installation, draft, { recursive: true, verbatimSymlinks: true })
    try {
      renameSync(draft, copy)
    } catch (error) {
      rmSync(draft, { recursive: true, force: true })
      // Another start was faster.
      if (!existsSync(copy)) throw error
    }
  }
  return copy
}

export function giveTo(path: string, user: SystemUser | undefined): void {
  if (user) chownSync(path, user.uid, user.gid)
}
