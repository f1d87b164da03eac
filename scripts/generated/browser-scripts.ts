import { build } from 'esbuild'

/** Scripts that browsers run apart from the page: each is bundled, and is the text of a module of its own. */
const SCRIPTS: readonly BrowserScript[] = [
  {
    source: 'lib/ui/studio/transport/synth/processor.ts',
    module: 'lib/ui/studio/transport/built/synth-script.ts',
    name: 'SYNTH_SCRIPT',
  },
  {
    source: 'lib/ui/studio/offline/service-worker.ts',
    module: 'lib/ui/studio/offline/built/service-worker-script.ts',
    name: 'SERVICE_WORKER_SCRIPT',
  },
  {
    source: 'lib/ui/piece/weft-run/weft-run.ts',
    module: 'lib/ui/piece/weft-run/built/weft-run-script.ts',
    name: 'WEFT_RUN_SCRIPT',
    // Pages load it with an ordinary script element, where nothing may become a global.
    format: 'iife',
  },
  {
    source: 'lib/ui/run/prove/own-nodes.ts',
    module: 'lib/ui/run/prove/built/own-nodes-script.ts',
    name: 'OWN_NODES_SCRIPT',
    format: 'iife',
  },
  {
    source: 'lib/server/mcp/view/view.ts',
    module: 'lib/server/mcp/built/view-script.ts',
    name: 'VIEW_SCRIPT',
  },
]

interface BrowserScript {
  readonly source: string
  /** The module that is written. */
  readonly module: string
  readonly name: string
  /** Default: a module. */
  readonly format?: 'iife'
}

/** The studio's audio worklet, which a page loads offline too, its service worker, what is verified apart from it, and the views of tools' results: path -> text. */
export async function browserScripts(): Promise<ReadonlyMap<string, string>> {
  const modules = SCRIPTS.map(async ({ source, module, name, format = 'esm' as const }) => {
    const { outputFiles } = await build({
      entryPoints: [source],
      bundle: true,
      write: false,
      minify: true,
      format,
      platform: 'browser',
      target: 'es2022',
    })
    const text = outputFiles[0]?.text ?? ''
    const from = `// Generated from \`${source}\` by \`npm run generate\`.`
    return [module, `${from}\nexport const ${name} = ${JSON.stringify(text)}\n`] as const
  })
  return new Map(await Promise.all(modules))
}
