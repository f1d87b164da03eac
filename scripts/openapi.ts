import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ApiName, clientTypes, documents } from './client-types.ts'

const APIS = Object.keys(documents) as ApiName[]
const ROOT = fileURLToPath(new URL('..', import.meta.url))

const [task] = process.argv.slice(2)
if (task === 'generate') await generate()
else if (task === 'lint') process.exitCode = lint()
else {
  console.error('Usage: node scripts/openapi.ts generate | lint')
  process.exitCode = 2
}

/** Writes the types that the clients are built on. */
async function generate(): Promise<void> {
  for (const api of APIS) {
    const file = join(ROOT, `lib/client/${api}-schema.ts`)
    writeFileSync(file, await clientTypes(api))
    console.log(`wrote ${file}`)
  }
}

/** Lints the documents as they are served. @returns the exit code. */
function lint(): number {
  const folder = mkdtempSync(join(tmpdir(), 'weft-openapi-'))
  try {
    const files = APIS.map((api) => {
      const file = join(folder, `${api}.json`)
      writeFileSync(file, JSON.stringify(documents[api](), null, 2))
      return file
    })
    const { status } = spawnSync(
      process.execPath,
      [
        join(ROOT, 'node_modules/@redocly/cli/bin/cli.js'),
        'lint',
        '--config',
        join(ROOT, 'redocly.yaml'),
        ...files,
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
