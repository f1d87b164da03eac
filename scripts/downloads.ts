/** Writes the tarballs of the packages to where the site serves them, `/downloads/…`: part of a build of the site. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack } from './npm-package/pack.ts'
import { PACKAGES } from './npm-package/packages.ts'
import { writeWhole } from './stack/files.ts'

const FOLDER = 'public/downloads'

const packed = mkdtempSync(join(tmpdir(), 'weft-downloads-'))
try {
  for (const { tarball, build } of PACKAGES) {
    const bytes = readFileSync(await pack(build, packed))
    const path = join(FOLDER, tarball)
    // The build compares modification times: an equal file is not written.
    if (!existsSync(path) || !readFileSync(path).equals(bytes)) writeWhole(path, bytes)
  }
} finally {
  rmSync(packed, { recursive: true, force: true })
}
