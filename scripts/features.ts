import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/*
 * Prints each feature with its size, settings and tables, and with the lines outside it that import it, which its removal
 * would break. With `--check` it fails where those are more than five.
 */

const MAX_IMPORTERS = 5
const ROOT = 'lib/features'

const files = execFileSync(
  'git',
  [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    'app',
    'lib',
    'worker',
    'scripts',
    'packages',
    ':(glob)*.ts',
  ],
  {
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((path) => /\.tsx?$/.test(path) && existsSync(path))
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
  if (!process.argv.includes('--check')) {
    for (const [what, names] of declaredIn(folder)) console.log(`  ${what}: ${names.join(', ')}`)
    for (const importer of importers) console.log(`  ${importer}`)
  }
  if (importers.length > MAX_IMPORTERS)
    problems.push(`${name}: ${importers.length} lines outside import it, at most ${MAX_IMPORTERS} may`)
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1

/** Settings and tables that a feature declares. */
function declaredIn(folder: string): [what: string, names: string[]][] {
  const kinds = [
    ['settings', 'settings.ts', /\benv\(\s*'(\w+)'/g],
    ['tables', 'schema.ts', /\bpgTable\(\s*'(\w+)'/g],
  ] as const
  return kinds
    .filter(([, file]) => existsSync(folder + file))
    .map(([what, file, name]) => [
      what,
      [...readFileSync(folder + file, 'utf8').matchAll(name)].map(([, declared = '']) => declared),
    ])
}

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
