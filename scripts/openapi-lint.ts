/** Lints the OpenAPI documents as they are served: `npm run openapi:lint`. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documents } from './generated/client-types.ts'

const folder = mkdtempSync(join(tmpdir(), 'weft-openapi-'))
try {
  const files = Object.entries(documents).map(([api, document]) => {
    const file = join(folder, `${api}.json`)
    writeFileSync(file, JSON.stringify(document(), null, 2))
    return file
  })
  const linter = ['node_modules/@redocly/cli/bin/cli.js', 'lint', '--config', 'redocly.yaml']
  const { status } = spawnSync(process.execPath, [...linter, ...files], {
    stdio: 'inherit',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
