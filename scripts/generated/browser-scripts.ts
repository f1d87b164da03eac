import { build } from 'esbuild'

/** Scripts that browsers run apart from the page: each is bundled, and is the text of a module of its own. */
const SCRIPTS: readonly BrowserScript[] = [
  {
    source: 'lib/studio/sound/synth/processor.ts',
    module: 'lib/studio/sound/built/synth-script.ts',
    name: 'SYNTH_SCRIPT',
  },
  {
    source: 'lib/ui/tool-view/view.ts',
    module: 'lib/server/mcp/built/view-script.ts',
    name: 'VIEW_SCRIPT',
  },
]

interface BrowserScript {
  readonly source: string
  /** The module that is written. */
  readonly module: string
  readonly name: string
}

/** The studio's audio worklet, which a page loads without a request, and the views of tools' results: path -> text. */
export async function browserScripts(): Promise<ReadonlyMap<string, string>> {
  const modules = SCRIPTS.map(async ({ source, module, name }) => {
    const { outputFiles } = await build({
      entryPoints: [source],
      bundle: true,
      write: false,
      minify: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
    })
    const text = outputFiles[0]?.text ?? ''
    const from = `// Generated from \`${source}\` by \`npm run generate\`.`
    return [module, `${from}\nexport const ${name} = ${JSON.stringify(text)}\n`] as const
  })
  return new Map(await Promise.all(modules))
}
