/** Packs the typed client as a tarball that other projects install: `npm run client:pack -- <folder>`. */
import { packClient } from './client-package/pack.ts'

const [folder = '.'] = process.argv.slice(2)
const tarball = await packClient(folder)
console.log(`${tarball}\nInstall it with: npm install ${tarball}`)
