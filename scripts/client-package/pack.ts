import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { buildClientPackage } from './build.ts'

/**
 * Packs the client for other projects to install.
 *
 * @param folder Where the tarball goes; made when it is missing.
 * @returns The path of the tarball.
 */
export async function packClient(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const source = mkdtempSync(join(tmpdir(), 'weft-client-'))
  try {
    await buildClientPackage(source)
    const { stdout } = await promisify(execFile)(
      'npm',
      ['pack', '--silent', '--pack-destination', resolve(folder)],
      { cwd: source },
    )
    return join(folder, stdout.trim())
  } finally {
    rmSync(source, { recursive: true, force: true })
  }
}
