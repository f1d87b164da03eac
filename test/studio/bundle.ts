import { build } from 'esbuild'

/** Bundles a page as modules, as in production: text by path, from `/`. */
export async function bundleModules(entryPoint: string): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
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
