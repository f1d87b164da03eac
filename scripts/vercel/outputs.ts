import { lstatSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { ResolveRoutesParams } from '@next/routing'

/** In Next's folder of the build. */
export const OUTPUTS_FILE = 'platform-outputs.json'

/** One function of the site: what answers at one path, or the proxy, whose path is `/_middleware`. */
export interface PlatformFunction {
  /** As Next writes it, for instance `/chain/connector/[name]`. */
  readonly pathname: string
  /** Absolute path of the module whose `handler` answers. */
  readonly filePath: string
  /** The other files it gets: their places in `Outputs.assets`. */
  readonly assets: readonly number[]
}

/** Where a file is put in a function, and where it is in the project; nearly always the same. */
export type Asset = readonly [path: string, file: string]

/** What a platform makes of a build. */
export interface Outputs {
  readonly buildId: string
  readonly projectDir: string
  readonly assets: readonly Asset[]
  readonly functions: readonly PlatformFunction[]
  readonly staticFiles: readonly { readonly pathname: string; readonly filePath: string }[]
  readonly routes: ResolveRoutesParams['routes']
}

/** @throws Error when the project in `root` was not built for it. */
export function readOutputs(root: string): Outputs {
  return JSON.parse(readFileSync(join(root, '.next', OUTPUTS_FILE), 'utf8')) as Outputs
}

/** All files of a function, the module that answers first. */
export function filesOf(outputs: Outputs, { filePath, assets }: PlatformFunction): readonly Asset[] {
  const entry = relative(outputs.projectDir, filePath)
  return [[entry, entry], ...assets.flatMap((number) => outputs.assets.slice(number, number + 1))]
}

/** The platform's limit on the unpacked size of a function. */
const MOST_MB = 250

/** The sizes of the functions, each alone and all in one, as the platform may bundle them. */
export function describeSizes(outputs: Outputs): string {
  const sizes = new Map<string, number>()
  const sizeOf = (path: string): number => {
    const size = sizes.get(path) ?? lstatSync(join(outputs.projectDir, path)).size
    sizes.set(path, size)
    return size
  }
  const each = outputs.functions.map((called) => ({
    path: called.pathname,
    megabytes: filesOf(outputs, called).reduce((sum, [, file]) => sum + sizeOf(file), 0) / 1e6,
  }))
  const largest = each.reduce((a, b) => (b.megabytes > a.megabytes ? b : a))
  const together = [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1e6
  return (
    `${each.length} functions; the largest is ${largest.path} with ${largest.megabytes.toFixed(0)} MB, ` +
    `all in one are ${together.toFixed(0)} MB of the ${MOST_MB} that are allowed.`
  )
}
