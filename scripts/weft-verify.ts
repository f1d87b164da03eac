/** Checks certificates of runs without any network: `npm run verify -- <file>…`; exits 1 unless all are proven. */
import { readFileSync } from 'node:fs'
import { checkFile } from '../lib/proof/check.ts'

const paths = process.argv.slice(2)
if (paths.length === 0) {
  console.error('Name the files to check: npm run verify -- name.weft.json')
  process.exitCode = 2
}
for (const path of paths) {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    console.error(`${path} cannot be read: ${error instanceof Error ? error.message : 'unknown reason'}`)
    process.exitCode = 1
    continue
  }
  const { verdict, sentence } = await checkFile(text)
  if (verdict !== 'proven') process.exitCode = 1
  console.log(`${path}: ${sentence}`)
}
