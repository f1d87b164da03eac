import { build } from 'esbuild'
import { SDK_MODULES } from '../../lib/world-sdk/built-module.ts'

/** The modules of the World SDK, each in one file without imports: name -> text. */
export async function bundleWorldSdk(): Promise<ReadonlyMap<string, string>> {
  const bundles = Object.entries(SDK_MODULES).map(async ([name, source]) => {
    const result = await build({
      entryPoints: [`lib/world-sdk/${source}`],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      charset: 'utf8',
      banner: { js: `// Weft World SDK. Written by \`npm run world-sdk:build\`; do not edit.` },
    })
    return [name, result.outputFiles[0]?.text ?? ''] as const
  })
  return new Map(await Promise.all(bundles))
}
