/** The program of `npm create weft-world`: begins a World from the template, and previews it. */
import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newWorld } from '../world-kit/new-world.ts'
import { startPreview } from '../world-kit/preview-server.ts'

const USAGE = `Usage:
  npm create weft-world my-world          begin a World in the folder my-world
  npx create-weft-world preview my-world  show it as a site will, and reload it when a file changes`

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
  const manifest = { private: true, scripts: { preview: 'create-weft-world preview .' } }
  const own = { ...manifest, devDependencies: { 'create-weft-world': '*' } }
  writeFileSync(join(first, 'package.json'), `${JSON.stringify({ name: slug, ...own }, null, 2)}\n`)
  console.log(`${first} is a World. See it, and edit world.js while you do:

  cd ${first}
  npm install
  npm run preview

To publish it, drop the folder on the page /worlds/upload of a Weft.`)
}

async function preview(given: string): Promise<void> {
  const folder = resolve(given)
  if (!existsSync(join(folder, 'world-manifest.json'))) {
    throw new Error(`There is no world-manifest.json in ${folder}.\n\n${USAGE}`)
  }
  // The modules of the SDK are read from the root of the package.
  process.chdir(fileURLToPath(new URL('../../', import.meta.url)))
  const { url } = await startPreview(folder, Number(process.env.PORT ?? 0))
  console.log(`${folder} is at ${url} and reloads when its files change. Ctrl+C ends it.`)
}
