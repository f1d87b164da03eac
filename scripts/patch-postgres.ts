import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Mends the database driver after each installation, where it does not stand the loss of a connection as of 3.4.9:
 *
 * - What is written to a lost connection throws where nobody can catch it, and takes the whole process along
 *   (https://github.com/porsager/postgres/issues/1208). The statement fails like any other instead.
 * - What was to be written is sent at the start of the next connection. It is forgotten instead.
 * - A connection that fails while the driver asks it for the array types takes the process along as well. It is
 *   given up instead.
 * - Statements of a transaction whose connection was lost go to whatever the same object is connected to by then,
 *   outside of any transaction. They fail instead.
 * - Where something accepts connections for a server that is away and closes them again, as poolers and balancers do, a
 *   statement waits for ever and connects as fast as it can. It fails like that of a server that refuses; only several
 *   hosts are still tried in turn.
 * - A statement given to a connection between its error and its end is taken for one that was sent on the next
 *   connection, whose answer then never comes. It fails with the connection, of which nothing is remembered.
 */
const edits: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'connection.js': [
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
    [
      `    if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
`,
      `    if (initial && options.host[1])
      return reconnect()

    if (initial || query || sent.length)
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = results = errorResponse = null
    result = new Result()
    rows = 0
`,
    ],
    ['return fetchArrayTypes()\n', 'return fetchArrayTypes().catch(() => socket && socket.destroy())\n'],
  ],
  'index.js': [
    ['      , prepare = null\n', '      , prepare = null\n      , lost = null\n'],
    [
      'new Promise((_, reject) => connection.onclose = reject)',
      'new Promise((_, reject) => connection.onclose = x => reject(lost = x))',
    ],
    [
      '        q.catch(e => uncaughtError || (uncaughtError = e))\n',
      '        q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost)\n          return q.reject(lost)\n\n',
    ],
  ],
}

for (const [name, changes] of Object.entries(edits)) {
  for (const folder of ['src', 'cjs/src']) mend(join('node_modules/postgres', folder, name), changes)
}

function mend(path: string, changes: readonly (readonly [string, string])[]): void {
  const file = join(import.meta.dirname, '..', path)
  const before = readFileSync(file, 'utf8')
  const missing = changes.filter(([, after]) => !before.includes(after))
  if (missing.length === 0) return
  if (!missing.every(([text]) => before.split(text).length === 2)) {
    console.warn(`${path} is not as scripts/patch-postgres.ts expects: see whether it is still needed`)
    return
  }
  const after = missing.reduce(
    (source, [text, replacement]) => source.replace(text, () => replacement),
    before,
  )
  // A new file in place of the old: other folders may share the bytes of the old one.
  writeFileSync(`${file}.new`, after)
  renameSync(`${file}.new`, file)
}
