import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { NextAdapter } from 'next'
import { type Asset, OUTPUTS_FILE, type Outputs } from './outputs.ts'

/*
 * Stores Next's build outputs for a platform in a file. Next loads this module itself, as `NEXT_ADAPTER_PATH` names it.
 */

const adapter: NextAdapter = {
  name: 'dry run',
  onBuildComplete({ outputs, routing, buildId, projectDir, distDir }) {
    const { appPages, appRoutes, staticFiles, middleware } = outputs
    // Functions have thousands of files, nearly all of them the same.
    const numbers = new Map<string, number>()
    const kept: Asset[] = []
    const numberOf = (path: string, file: string): number => {
      const asset = [path, relative(projectDir, file)] as const
      const key = asset.join('\n')
      const number = numbers.get(key) ?? kept.push(asset) - 1
      numbers.set(key, number)
      return number
    }
    const functions = [...appPages, ...appRoutes, ...(middleware === undefined ? [] : [middleware])].map(
      ({ pathname, filePath, assets }) => ({
        pathname,
        filePath,
        assets: Object.entries(assets).map(([path, file]) => numberOf(path, file)),
      }),
    )
    const all: Outputs = {
      buildId,
      projectDir,
      assets: kept,
      functions,
      staticFiles: staticFiles.map(({ pathname, filePath }) => ({ pathname, filePath })),
      routes: routing,
    }
    writeFileSync(join(distDir, OUTPUTS_FILE), JSON.stringify(all))
  },
}

export default adapter
