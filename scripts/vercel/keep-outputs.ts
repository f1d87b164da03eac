import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { ResolveRoutesParams } from '@next/routing'
import type { NextAdapter } from 'next'

/*
 * Stores Next's build outputs for a platform in a file. Next loads this module itself, as `NEXT_ADAPTER_PATH` names it.
 */

/** In Next's folder of the build. */
export const OUTPUTS_FILE = 'platform-outputs.json'

/** Where a file is put in a function, and where it is in the project; nearly always the same. */
type Asset = readonly [path: string, file: string]

/** Output that a platform makes of a build. */
export interface Outputs {
  readonly buildId: string
  readonly assets: readonly Asset[]
  /** Function that answers at one path, or the proxy, whose path is `/_middleware`. */
  readonly functions: readonly {
    readonly pathname: string
    /** The module whose `handler` answers, from the project's root. */
    readonly entry: string
    /** Its other files: places in `assets`, since functions have thousands, nearly all the same. */
    readonly assets: readonly number[]
  }[]
  readonly staticFiles: readonly { readonly pathname: string; readonly filePath: string }[]
  readonly routes: ResolveRoutesParams['routes']
}

const adapter: NextAdapter = {
  name: 'dry run',
  onBuildComplete({ outputs, routing, buildId, projectDir, distDir }) {
    const { appPages, appRoutes, staticFiles, middleware } = outputs
    const numbers = new Map<string, number>()
    const assets: Asset[] = []
    const numberOf = (path: string, file: string): number => {
      const asset = [path, relative(projectDir, file)] as const
      const key = asset.join('\n')
      const number = numbers.get(key) ?? assets.push(asset) - 1
      numbers.set(key, number)
      return number
    }
    const functions = [...appPages, ...appRoutes, ...(middleware === undefined ? [] : [middleware])].map(
      ({ pathname, filePath, assets: own }) => ({
        pathname,
        entry: relative(projectDir, filePath),
        assets: Object.entries(own).map(([path, file]) => numberOf(path, file)),
      }),
    )
    const files = staticFiles.map(({ pathname, filePath }) => ({ pathname, filePath }))
    const all: Outputs = { buildId, assets, functions, staticFiles: files, routes: routing }
    writeFileSync(join(distDir, OUTPUTS_FILE), JSON.stringify(all))
  },
}

export default adapter
