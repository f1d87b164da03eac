import { readFileSync } from 'node:fs'
import { build } from 'esbuild'

const FOLDER = 'lib/features/piece-file'

/** The program of files that hold a piece, which takes the synthesiser from where it was written: path -> text. */
export async function piecePlayer(): Promise<ReadonlyMap<string, string>> {
  const [player, frame] = await Promise.all(['main.ts', 'frame.ts'].map(scriptOf))
  const style = await build({
    stdin: { contents: readFileSync(`${FOLDER}/ui/program/player.css`, 'utf8'), loader: 'css' },
    write: false,
    minify: true,
    target: 'es2022',
  })
  const texts = { PLAYER_SCRIPT: player, FRAME_SCRIPT: frame, PLAYER_STYLE: style.outputFiles[0]?.text }
  const constants = Object.entries(texts).map(
    ([name, text]) => `export const ${name} = ${JSON.stringify(text)}\n`,
  )
  const from = `// Generated from \`${FOLDER}/ui/program\` by \`npm run generate\`.\n`
  return new Map([[`${FOLDER}/built/player.ts`, from + constants.join('')]])
}

/** @throws {Error} for a script that no inline script can hold. */
async function scriptOf(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${FOLDER}/ui/program/${file}`],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"', 'import.meta.url': '""' },
  })
  const text = outputFiles[0]?.text.trim() ?? ''
  if (/<\/script|<!--/i.test(text)) throw new Error(`${file} has what ends an inline script`)
  return text
}
