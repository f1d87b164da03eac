/** Writes the tarballs of the packages and the template of a World to where the site serves them, `/downloads/…`: part of a build of the site. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack } from './npm-package/pack.ts'
import { PACKAGES } from './npm-package/packages.ts'
import { writeWhole } from './stack/files.ts'
import { TEMPLATE } from './world-kit/new-world.ts'
import { packWorld } from './world-kit/world-folder.ts'

const FOLDER = 'public/downloads'

const packed = mkdtempSync(join(tmpdir(), 'weft-downloads-'))
try {
  const template = Buffer.from(await packWorld(TEMPLATE))
  const files: [name: string, bytes: Buffer][] = [['world-template.zip', template]]
  for (const { tarball, build } of PACKAGES) files.push([tarball, readFileSync(await pack(build, packed))])
  for (const [name, bytes] of files) {
    const path = join(FOLDER, name)
    // The build compares modification times: an equal file is not written.
    if (!existsSync(path) || !readFileSync(path).equals(bytes)) writeWhole(path, bytes)
  }
} finally {
  rmSync(packed, { recursive: true, force: true })
}
