import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Mends the database driver after each installation. A connection that dies in the middle of a transaction leaves a
 * write behind that throws where nobody can catch it, and takes the whole process along
 * (https://github.com/porsager/postgres/issues/1208, not released as of 3.4.9). With these lines the statement fails
 * like any other, and nothing half-written is sent at the start of the next connection. The same goes for a connection
 * that fails while the driver asks for the array types, right after it was opened.
 */
const edits: readonly (readonly [string, string])[] = [
  [
    '    const x = socket.write(chunk, fn)\n',
    `    if (!socket) {
      nextWriteTimer !== null && clearImmediate(nextWriteTimer)
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
      return false
    }
    const x = socket.write(chunk, fn)
`,
  ],
  [
    '    clearImmediate(nextWriteTimer)\n    socket.removeListener',
    '    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener',
  ],
  ['return fetchArrayTypes()\n', 'return fetchArrayTypes().catch(() => socket && socket.destroy())\n'],
]

for (const folder of ['src', 'cjs/src']) {
  const file = join(import.meta.dirname, '../node_modules/postgres', folder, 'connection.js')
  const before = readFileSync(file, 'utf8')
  const missing = edits.filter(([, after]) => !before.includes(after))
  if (missing.length === 0) continue
  if (!missing.every(([text]) => before.split(text).length === 2)) {
    console.warn(`${file} is not as scripts/patch-postgres.ts expects: see whether it is still needed`)
    continue
  }
  const after = missing.reduce(
    (source, [text, replacement]) => source.replace(text, () => replacement),
    before,
  )
  // A new file in place of the old: other folders may share the bytes of the old one.
  writeFileSync(`${file}.new`, after)
  renameSync(`${file}.new`, file)
}
