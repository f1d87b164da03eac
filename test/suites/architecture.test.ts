import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Names of files in the text, by path or alone, and paths of folders. */
const NAMED =
  /`((?:[\w.()[\]-]+\/)*[\w.-]+\.(?:tsx?|mjs|json|md|grit|css)|(?:app|lib|test|scripts|worker|packages|docs|worlds)\/[\w./()[\]-]+)`/g

test('every file and folder that ARCHITECTURE.md names is there', () => {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')
  const names = [...readFileSync('ARCHITECTURE.md', 'utf8').matchAll(NAMED)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(200)
  const isThere = (name: string) =>
    files.some((file) => file === name || file.endsWith(`/${name}`) || file.startsWith(`${name}/`))
  expect([...new Set(names)].filter((name) => !isThere(name))).toEqual([])
})
