import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import ts from 'typescript'
import { BUILT_FOLDER, SDK_MODULES } from '#lib/core/worlds/sdk/built-module.ts'

const HEADER = '// Generated from `lib/core/worlds/sdk` by `npm run generate`.'

/** The modules of the World SDK as browsers load them, and the runtime's types for editors: path -> text. */
export async function worldSdk(): Promise<ReadonlyMap<string, string>> {
  const modules = Object.entries(SDK_MODULES).map(async ([name, source]) => {
    const result = await build({
      entryPoints: [`lib/core/worlds/sdk/${source}`],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      charset: 'utf8',
      banner: { js: HEADER },
    })
    return [`${BUILT_FOLDER}/${name}`, result.outputFiles[0]?.text ?? ''] as const
  })
  return new Map([
    ...(await Promise.all(modules)),
    ['examples/world-template/types/world-runtime.d.ts', runtimeTypes()],
  ])
}

/** The types of `world-runtime.js` as one ambient module: the runtime's own, and what they need of the protocol's. */
function runtimeTypes(): string {
  const runtime = declarationsOf('lib/core/worlds/sdk/runtime.ts')
  const protocol = declarationsOf('lib/core/worlds/sdk/protocol.ts')
  const needed = new Map<string, string>()
  const need = (text: string): void => {
    for (const [name = ''] of text.replaceAll(/\/\*\*.*?\*\//gs, '').matchAll(/\b[A-Z]\w+\b/g)) {
      const declaration = protocol.get(name)
      if (declaration === undefined || needed.has(name)) continue
      needed.set(name, declaration)
      need(declaration)
    }
  }
  for (const text of runtime.values()) need(text)
  const body = [...runtime.values(), ...needed.values()].join('\n').replaceAll(/^(?=.)/gm, '  ')
  return `${HEADER}\n\n/** Imported by a relative path: \`../../js/sdk/world-runtime.js\`. */\ndeclare module '*/js/sdk/world-runtime.js' {\n${body}}\n`
}

/** The exported declarations of a module: name -> text with its comment. */
function declarationsOf(path: string): ReadonlyMap<string, string> {
  const { outputText } = ts.transpileDeclaration(readFileSync(path, 'utf8'), {
    fileName: path,
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  })
  const source = ts.createSourceFile(path, outputText.replaceAll(/\bdeclare /g, ''), ts.ScriptTarget.ES2023)
  return new Map(
    source.statements.flatMap((each) => {
      const declared = ts.isVariableStatement(each) ? each.declarationList.declarations[0] : each
      const name = declared !== undefined && 'name' in declared ? (declared.name as ts.Identifier) : undefined
      return name === undefined ? [] : [[name.text, `${each.getFullText(source).trim()}\n`]]
    }),
  )
}
