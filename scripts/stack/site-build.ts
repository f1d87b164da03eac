import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from './child.ts'
import { readJson, writeJson } from './files.ts'

/** Sources of the built site. */
const SOURCES = [
  ...['app', 'lib', 'public', 'contracts/artifacts'],
  ...[
    'next.config.ts',
    'proxy.ts',
    'postcss.config.mjs',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ],
]
const MARKER = '.next/weft-build.json'

/** When the build in `.next` was begun, as ISO-8601; undefined without a finished build. */
export function siteBuildTime(): string | undefined {
  const startedAt = buildStart()
  return startedAt === undefined ? undefined : new Date(startedAt).toISOString()
}

function buildStart(): number | undefined {
  const marker = readJson(MARKER)
  if (typeof marker !== 'object' || marker === null || !('startedAt' in marker)) return undefined
  return typeof marker.startedAt === 'number' ? marker.startedAt : undefined
}

/** Whether `.next` holds a finished build that is newer than every source. */
function isSiteBuilt(): boolean {
  const startedAt = buildStart()
  return startedAt !== undefined && newest(SOURCES) <= startedAt
}

/** Builds the site unless that is done already. @throws Error with the build's last words. */
export async function buildSite(onLine: (line: string) => void): Promise<void> {
  if (isSiteBuilt()) return
  rmSync(MARKER, { force: true })
  await run('scripts/generate.ts')
  await run('scripts/downloads.ts')
  const startedAt = Date.now()
  await run('node_modules/next/dist/bin/next', 'build')
  writeJson(MARKER, { startedAt })

  async function run(...args: string[]): Promise<void> {
    const child = await startChild(process.execPath, args, {
      name: 'build',
      env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
      onLine,
    })
    const { code } = await child.exited
    if (code !== 0) throw new Error(`The site could not be built:\n${child.tail()}`)
  }
}

function newest(paths: readonly string[]): number {
  let latest = 0
  const visit = (path: string): void => {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat) return
    latest = Math.max(latest, stat.mtimeMs)
    if (stat.isDirectory()) for (const entry of readdirSync(path)) visit(join(path, entry))
  }
  for (const path of paths) visit(path)
  return latest
}
