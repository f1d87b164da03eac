import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { compile } from 'tailwindcss'

const GLOBALS = new URL('../../app/globals.css', import.meta.url)

/**
 * The style sheet of the site with every class that these source files name, for components that are tested on a
 * separate page.
 */
export async function compileStyles(sources: readonly URL[]): Promise<string> {
  const require = createRequire(import.meta.url)
  const { build } = await compile(await readFile(GLOBALS, 'utf8'), {
    base: fileURLToPath(new URL('.', GLOBALS)),
    loadStylesheet: async (id, base) => {
      const path = require.resolve(id === 'tailwindcss' ? 'tailwindcss/index.css' : id)
      return { path, base, content: await readFile(path, 'utf8') }
    },
  })
  const texts = await Promise.all(sources.map((source) => readFile(source, 'utf8')))
  return build([...new Set(texts.flatMap((text) => text.split(/[\s'"`]+/)))])
}
