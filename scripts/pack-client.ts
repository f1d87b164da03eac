/** Packs `@weft/client` and the command line as tarballs to install: `npm run client:pack -- <folder>`. */
import { buildClientPackage, buildCommandPackage } from './client-package/pack.ts'
import { pack } from './npm-package/pack.ts'

const [folder = '.'] = process.argv.slice(2)
for (const build of [buildClientPackage, buildCommandPackage]) {
  const tarball = await pack(build, folder)
  console.log(`${tarball}\nInstall it with: npm install ${tarball}`)
}
