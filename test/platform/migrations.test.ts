import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const files = readdirSync('drizzle')
  .filter((name) => name.endsWith('.sql'))
  .sort()

test.each(files)('the site before %s goes on over the new tables', (file) => {
  const breaking = breakingStatements(readFileSync(`drizzle/${file}`, 'utf8'))
  // A feature that ends takes its tables with it: the release before stops first, as its operators are told.
  if (readFileSync('docs/upgrading.md', 'utf8').includes(`\`${file}\``)) {
    expect(breaking.filter((text) => !DROPS.test(text))).toEqual([])
  } else {
    expect(breaking).toEqual([])
  }
})

/** Above a statement that drops what a feature left: what is lost, for operators. */
const DROPS = /^\s*--\s*drops \w+/i

/** Statements that break the release before, which still reads and writes. */
const BREAKING: readonly RegExp[] = [
  /\bdrop\s+(?:table|column|view|function|schema|type|sequence|trigger)\b/i,
  /\brename\b/i,
  /\balter\s+column\b[^;]*\b(?:set\s+data\s+type|type|set\s+not\s+null|drop\s+default)\b/i,
  /\badd\s+column\b(?![^;]*\bdefault\b)[^;]*\bnot\s+null\b/i,
  /\badd\s+constraint\b/i,
  /\bcreate\s+unique\s+index\b/i,
  /^\s*(?:truncate|delete\s+from)\b/i,
]

/** Above a statement that drops what the release before no longer uses: the release since which it is unused. */
const LEFT_BEHIND = /^\s*--\s*unused since \d{4}\b/im

/**
 * Statements of a migration over which the release before would fail: it serves until the new one is up, and again after
 * a step back. Tables made by the same migration may be anything.
 *
 * @param migration Its SQL.
 */
function breakingStatements(migration: string): string[] {
  const statements = migration.split('--> statement-breakpoint')
  const made = new Set(
    statements.flatMap(
      (text) => /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?"?(\w+)/i.exec(text)?.[1] ?? [],
    ),
  )
  return statements
    .filter((text) => {
      const table = /(?:\balter\s+table|\son)\s+(?:only\s+)?(?:"public"\.)?"?(\w+)/i.exec(text)?.[1]
      if (table !== undefined && made.has(table)) return false
      return BREAKING.some((pattern) => pattern.test(withoutComments(text))) && !LEFT_BEHIND.test(text)
    })
    .map((text) => text.trim())
}

function withoutComments(text: string): string {
  return text.replace(/^\s*--.*$/gm, '')
}
