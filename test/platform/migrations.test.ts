import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { breakingStatements } from '../../scripts/migrations/breaking-statements.ts'

const files = readdirSync('drizzle')
  .filter((name) => name.endsWith('.sql'))
  .sort()

test.each(files)('the site before %s goes on over the new tables', (file) => {
  expect(breakingStatements(readFileSync(`drizzle/${file}`, 'utf8'))).toEqual([])
})

test.each([
  'DROP TABLE "drafts";',
  'ALTER TABLE "drafts" DROP COLUMN "name";',
  'ALTER TABLE "drafts" RENAME COLUMN "name" TO "title";',
  'ALTER TABLE "drafts" ALTER COLUMN "name" SET DATA TYPE text;',
  'ALTER TABLE "drafts" ALTER COLUMN "name" SET NOT NULL;',
  'ALTER TABLE "drafts" ADD COLUMN "size" integer NOT NULL;',
  'CREATE UNIQUE INDEX "one_name" ON "drafts" ("name");',
  'ALTER TABLE "drafts" ADD CONSTRAINT "positive" CHECK (size > 0);',
])('would be found: %s', (statement) => {
  const harmless = 'ALTER TABLE "drafts" ADD COLUMN "note" text;'
  expect(breakingStatements([harmless, statement].join('--> statement-breakpoint\n'))).toEqual([statement])
  expect(breakingStatements(`-- Unused since 0009.\n${statement}`)).toEqual([])
})

test('a table of its own, a column with a standard and an index are no trouble', () => {
  const statements = [
    'CREATE TABLE "notes" ("id" text NOT NULL);',
    'ALTER TABLE "notes" ADD CONSTRAINT "own" CHECK (id <> \'\');',
    'CREATE UNIQUE INDEX "notes_id" ON "notes" ("id");',
    'ALTER TABLE "drafts" ADD COLUMN "size" integer DEFAULT 0 NOT NULL;',
    'CREATE INDEX "sizes" ON "drafts" ("size");',
  ]
  expect(breakingStatements(statements.join('--> statement-breakpoint\n'))).toEqual([])
})
