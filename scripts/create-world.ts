/** Packs `create-weft-world`, which `npm create weft-world` runs: `npm run create:pack -- <folder>`. */
import { packCreateWorld } from './create-world/pack.ts'

const [folder = '.'] = process.argv.slice(2)
const tarball = await packCreateWorld(folder)
console.log(`${tarball}\nPublish it with: npm publish ${tarball}`)
