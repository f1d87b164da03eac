/** Packs `@weft/client`, the command line and `weft-verify` as tarballs to install: `npm run client:pack -- <folder>`. */
import { buildClientPackage, buildCommandPackage, buildVerifyPackage } from './client-package/pack.ts'
import { pack } from './npm-package/pack.ts'

const [folder = '.'] = process.argv.slice(2)
for (const build of [buildClientPackage, buildCommandPackage, buildVerifyPackage]) {
  const tarball = await pack(build, folder)
  console.log(`${tarball}\nInstall it with: npm install ${tarball}`)
}
