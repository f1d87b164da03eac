import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { postgresUser, reachableDataDir } from '../../scripts/stack/data-location.ts'

/** Only root has to put the data elsewhere. */
test.runIf(process.getuid?.() === 0)(
  'data in a folder closed to PostgreSQL moves along instead of being lost',
  () => {
    const closed = mkdtempSync(join(tmpdir(), 'weft-closed-'))
    const wanted = join(closed, 'postgres')
    mkdirSync(join(wanted, 'base'), { recursive: true })
    writeFileSync(join(wanted, 'base', 'table'), 'rows')
    const moved = reachableDataDir(wanted)
    try {
      expect(readFileSync(join(wanted, 'base', 'table'), 'utf8')).toBe('rows')
      expect(lstatSync(wanted).isSymbolicLink()).toBe(true)
      expect(moved.startsWith(closed)).toBe(false)
      expect(statSync(join(moved, 'base', 'table')).uid).toBe(postgresUser()?.uid)
      expect(reachableDataDir(wanted)).toBe(moved)
    } finally {
      for (const path of [closed, moved, `${moved}.link`]) rmSync(path, { recursive: true, force: true })
    }
    expect(existsSync(moved)).toBe(false)
  },
)
