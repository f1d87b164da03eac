import { build } from 'esbuild'
import { onceARun } from '#test/support/kept.ts'

const PRODUCTION = {
  bundle: true,
  write: false,
  minify: true,
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
} as const

/** Bundles pages of one folder as modules, as in production: text by path, from `/`. */
export async function bundleModules(...entryPoints: string[]): Promise<Map<string, string>> {
  const files = await onceARun(`modules ${entryPoints.join()}`, async () => {
    const { outputFiles } = await build({
      ...PRODUCTION,
      entryPoints,
      splitting: true,
      format: 'esm',
      outdir: '/built',
    })
    return JSON.stringify(
      outputFiles.map(({ path, text }) => [path.replace(/^.*built/, '').replaceAll('\\', '/'), text]),
    )
  })
  return new Map(JSON.parse(files) as [string, string][])
}

/** Bundles a module as a script, as workers are in production. */
export function bundleScript(entryPoint: string): Promise<string> {
  return onceARun(`script ${entryPoint}`, async () => {
    const { outputFiles } = await build({ ...PRODUCTION, entryPoints: [entryPoint], format: 'iife' })
    return outputFiles[0]?.text ?? ''
  })
}
