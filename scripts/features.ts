import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/*
 * Prints each feature with its size and with the lines outside it that import it, which its removal would break. With
 * `--check` it fails where those are more than five.
 */

const MAX_IMPORTERS = 5
const ROOT = 'lib/features'

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'app', 'lib', 'worker', 'scripts', 'packages'],
  {
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((path) => /\.tsx?$/.test(path))
const names = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

const problems: string[] = []
for (const name of names) {
  const folder = `${ROOT}/${name}/`
  const own = files.filter((path) => path.startsWith(folder))
  const importers = files
    .filter((path) => !path.startsWith(folder) && path !== `${ROOT}/index.ts`)
    .flatMap((path) => importsOf(path, `features/${name}/`))
  console.log(
    `${name}: ${own.length} files, ${own.reduce((sum, path) => sum + linesOf(path), 0)} lines, ${importers.length} lines import it`,
  )
  if (!process.argv.includes('--check')) for (const importer of importers) console.log(`  ${importer}`)
  if (importers.length > MAX_IMPORTERS)
    problems.push(`${name}: ${importers.length} lines outside import it, at most ${MAX_IMPORTERS} may`)
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1

/** Import statements of a file that name a folder. */
function importsOf(path: string, folder: string): string[] {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)]
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => specifier.includes(folder))
    .map((specifier) => `${path}: ${specifier}`)
}

function linesOf(path: string): number {
  return readFileSync(path, 'utf8').split('\n').length - 1
}
