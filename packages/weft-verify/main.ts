/** Checks certificates of runs without any network: `npx weft-verify <file>…`; exits with 1 unless all are proven. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkFile, type Verdict } from '../../lib/features/proofs/checker/check.ts'

const { paths, json } = options()
if (paths.length === 0) {
  console.error('Name the files to check: weft-verify [--json] name.weft.json')
  process.exitCode = 2
}
for (const path of paths) {
  const verdict = await verdictOn(path)
  if (verdict.verdict !== 'proven') process.exitCode = 1
  console.log(json ? JSON.stringify({ file: path, ...verdict }) : `${path}: ${verdict.sentence}`)
}

function options(): { readonly paths: readonly string[]; readonly json: boolean } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    })
    return { paths: positionals, json: values.json }
  } catch {
    return { paths: [], json: false }
  }
}

async function verdictOn(path: string): Promise<Verdict> {
  try {
    return await checkFile(readFileSync(path, 'utf8'))
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown reason'
    return { verdict: 'undecided', code: 'unreadable', sentence: `It cannot be read: ${why}` }
  }
}
