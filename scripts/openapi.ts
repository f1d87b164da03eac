import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chainDocument } from '../lib/api/chain/document.ts'
import { chainOperations } from '../lib/api/chain/index.ts'
import { clientTypes } from './client-types.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const [task] = process.argv.slice(2)
if (task === 'generate') await generate()
else if (task === 'lint') process.exitCode = lint()
else {
  console.error('Usage: node scripts/openapi.ts generate | lint')
  process.exitCode = 2
}

/** Writes the types that the client is built on. */
async function generate(): Promise<void> {
  const file = join(ROOT, 'lib/client/schema.ts')
  writeFileSync(file, await clientTypes())
  console.log(`wrote ${file}`)
}

/** Lints the document as it is served. @returns the exit code. */
function lint(): number {
  const folder = mkdtempSync(join(tmpdir(), 'weft-openapi-'))
  try {
    const file = join(folder, 'chain.json')
    writeFileSync(file, JSON.stringify(chainDocument(chainOperations), null, 2))
    const { status } = spawnSync(
      process.execPath,
      [
        join(ROOT, 'node_modules/@redocly/cli/bin/cli.js'),
        'lint',
        '--config',
        join(ROOT, 'redocly.yaml'),
        file,
      ],
      {
        stdio: 'inherit',
        env: {
          ...process.env,
          REDOCLY_TELEMETRY: 'off',
          REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        },
      },
    )
    return status ?? 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
