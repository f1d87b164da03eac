import { build } from 'esbuild'
import type { Engine, EngineOptions } from '#lib/engine/engine.ts'

/** An engine as pages have it: bundled for browsers, minified, without an exact engine. */
export async function createBrowserEngine(): Promise<Engine> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { createEngine, translators } from './lib/engine/engine.ts'`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  })
  const bundle = (await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`
  )) as {
    createEngine(options: EngineOptions): Engine
    translators: EngineOptions['translators']
  }
  return bundle.createEngine({ translators: bundle.translators })
}
