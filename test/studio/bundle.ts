import { build } from 'esbuild'

/** Bundles pages of one folder as modules, as in production: text by path, from `/`. */
export async function bundleModules(...entryPoints: string[]): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir: '/built',
    write: false,
    minify: true,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return new Map(
    outputFiles.map(({ path, text }) => [path.replace(/^.*built/, '').replaceAll('\\', '/'), text]),
  )
}
