import { build } from 'esbuild'

const SOURCE = 'lib/ui/studio/transport/synth/processor.ts'

/**
 * The studio's audio worklet as a module with its text, path -> text: a page loads it without a request of its own,
 * and offline.
 */
export async function synthScript(): Promise<ReadonlyMap<string, string>> {
  const result = await build({
    entryPoints: [SOURCE],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  })
  const text = result.outputFiles[0]?.text ?? ''
  return new Map([
    [
      'lib/ui/studio/transport/built/synth-script.ts',
      `// Generated from \`${SOURCE}\` by \`npm run generate\`.\nexport const SYNTH_SCRIPT = ${JSON.stringify(text)}\n`,
    ],
  ])
}
