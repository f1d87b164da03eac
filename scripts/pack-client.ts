/** Packs the packages of this repository as tarballs to install: `npm run client:pack -- <folder>`. */
import { pack } from './npm-package/pack.ts'
import { PACKAGES } from './npm-package/packages.ts'

const [folder = '.'] = process.argv.slice(2)
for (const { build } of PACKAGES) {
  const tarball = await pack(build, folder)
  console.log(`${tarball}\nInstall it with: npm install ${tarball}`)
}
