import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sparticuz from '@sparticuz/chromium'

/** Goes when packages are installed anew, so it is of the version that is installed. */
const FOLDER = join(import.meta.dirname, '../../node_modules/.cache/chromium')

/**
 * Returns the path of the Chromium inside `@sparticuz/chromium`, unpacked at first use. The package unpacks in place, where
 * a second process starts what the first still writes; here it appears whole, by one rename.
 *
 * @throws Error where the package has none for this machine.
 */
export async function packagedChromium(): Promise<string> {
  const path = join(FOLDER, 'chromium')
  if (existsSync(path)) return path
  mkdirSync(join(FOLDER, '..'), { recursive: true })
  const apart = mkdtempSync(`${FOLDER}-`)
  try {
    await promisify(execFile)(process.execPath, [import.meta.filename], {
      env: { ...process.env, TMPDIR: apart },
    })
    if (!existsSync(path)) renameSync(apart, FOLDER)
  } catch (error) {
    // Another process was first.
    if (!existsSync(path)) throw error
  } finally {
    rmSync(apart, { recursive: true, force: true })
  }
  return path
}

// A process of its own, since the package unpacks into the temporary folder of its process.
if (process.argv[1] === import.meta.filename) await sparticuz.executablePath()
