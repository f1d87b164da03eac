import { build } from 'esbuild'

const PRODUCTION = {
  bundle: true,
  write: false,
  minify: true,
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
} as const

/** Bundles pages of one folder as modules, as in production: text by path, from `/`. */
export async function bundleModules(...entryPoints: string[]): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    ...PRODUCTION,
    entryPoints,
    splitting: true,
    format: 'esm',
    outdir: '/built',
  })
  return new Map(
    outputFiles.map(({ path, text }) => [path.replace(/^.*built/, '').replaceAll('\\', '/'), text]),
  )
}

/** Bundles a module as a script, as workers are in production. */
export async function bundleScript(entryPoint: string): Promise<string> {
  const { outputFiles } = await build({ ...PRODUCTION, entryPoints: [entryPoint], format: 'iife' })
  return outputFiles[0]?.text ?? ''
}
