/** The program `create-weft-world`: begins a World from the template, and previews it. */
import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newWorld } from '../world-kit/new-world.ts'
import { startPreview } from '../world-kit/preview-server.ts'

const USAGE = `Usage:
  create-weft-world my-world          begin a World in the folder my-world
  create-weft-world preview my-world  show it as a site will, and reload it when a file changes`

try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function run([first, second]: readonly string[]): Promise<void> {
  if (first === 'preview') return preview(second ?? '.')
  if (first === undefined || first.startsWith('-')) throw new Error(USAGE)
  const slug = newWorld(first)
  const source = ownTarball()
  const manifest = { name: slug, private: true, scripts: { preview: 'create-weft-world preview .' } }
  const own = source === undefined ? {} : { devDependencies: { '@weft/create-world': source } }
  writeFileSync(join(first, 'package.json'), `${JSON.stringify({ ...manifest, ...own }, null, 2)}\n`)
  console.log(`${first} is a World. See it, and edit world.js while you do:

  cd ${first}
  ${source === undefined ? 'create-weft-world preview .' : 'npm install\n  npm run preview'}

To publish it, drop the folder on the page /worlds/upload of a Weft.`)
}

/**
 * The tarball that npm runs this program from; npm lists packages by line. By its name alone npm would look for it in a
 * registry, where it is not.
 */
function ownTarball(): string | undefined {
  const source = process.env.npm_config_package?.split(/\n+/).find((each) => each.endsWith('.tgz'))
  return source === undefined || /^https?:/.test(source) ? source : `file:${resolve(source)}`
}

async function preview(path: string): Promise<void> {
  const folder = resolve(path)
  if (!existsSync(join(folder, 'world-manifest.json'))) {
    throw new Error(`There is no world-manifest.json in ${folder}.\n\n${USAGE}`)
  }
  // The modules of the SDK are read from the root of the package.
  process.chdir(fileURLToPath(new URL('../../', import.meta.url)))
  const { url } = await startPreview(folder, Number(process.env.PORT ?? 0))
  console.log(`${folder} is at ${url} and reloads when its files change. Ctrl+C ends it.`)
}
