import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PACKAGES } from '#scripts/npm-package/packages.ts'

/*
 * In registries `weft` belongs to others, and the names of our own scope are not taken yet. So nothing
 * that a person reads says to install or run a package of ours by its name alone.
 */

const READ = ['*.md', '*.ts', '*.tsx', '*.js', '*.mjs', '*.html', '*.json', '*.txt', '*.svg']
const COMMAND =
  /\b(?:npx|bunx|uvx|pipx|npm (?:i|install|add|create|init|exec|x)|(?:pnpm|yarn|bun) (?:add|create|dlx|x)|(?:uv )?pip3? install|uv (?:add|tool)|deno (?:add|install))\b([^`'"\n|;&#]*)/g
/** A name in a registry, with or without a version. */
const NAME = /^(?:@weft\/[\w-]+|weft(?:[-_][\w-]+)?|create-weft-world)(?:(?:@|==|>=)\S*)?$/

/** Commands of a text that take a package of ours from a registry. */
function badCommands(text: string): string[] {
  return [...text.matchAll(COMMAND)].flatMap(([command, args = '']) => {
    const words = args.split(/\s+/).filter(Boolean)
    // From a file or an address: what follows is a command of that package.
    const isFromFile = words.some((word) => /\.(?:tgz|whl|tar\.gz)$/.test(word))
    return words.some((word) => NAME.test(word)) && !isFromFile ? [command.trim()] : []
  })
}

/** The text of a file; none of one that was deleted: other tests write some and remove them meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

test.each([
  'npx weft --help',
  'npx weft@latest simulate pitch',
  'npx weft-verify a.json',
  'npm install weft',
  'npm i -g weft',
  'npm install @weft/client',
  'npm create weft-world my-world',
  'npx create-weft-world preview',
  'pnpm add @weft/cli',
  'pip install weft',
  'pip install weft_client==1.0',
  'uvx weft',
])('%s is found', (text) => {
  expect(badCommands(`First run \`${text}\` and then`)).toEqual([text])
})

test.each([
  'npx --package=http://localhost:3000/downloads/weft-cli.tgz weft simulate pitch -n 12',
  'npm install http://localhost:3000/downloads/weft-client.tgz',
  'npm install <folder>/weft-client-0.4.0.tgz',
  'npx vitest run test/suites',
  'npm run client:pack -- weft',
])('%s is not', (text) => {
  expect(badCommands(text)).toEqual([])
})

test('no document, page, help or error message takes a package of ours from a registry', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...READ], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '' && path !== 'test/suites/package-names.test.ts')
  expect(files.length).toBeGreaterThan(1000)
  const bad = files.flatMap((path) => badCommands(textOf(path)).map((command) => `${path}: ${command}`))
  expect(bad).toEqual([])
})

test('every way to run the site writes the tarballs that it serves first', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  for (const name of ['dev', 'build']) expect(scripts[name]).toContain('scripts/downloads.ts')
  expect(readFileSync('scripts/stack/site-build.ts', 'utf8')).toContain('scripts/downloads.ts')
})

test('one table has every package with its tarball', () => {
  const table = readFileSync('docs/site/using-the-apis.md', 'utf8')
  for (const { name, tarball } of PACKAGES) {
    expect(name).toMatch(/^@weft\//)
    expect(table).toContain(`| \`${name}\` | [\`/downloads/${tarball}\`]`)
  }
})
