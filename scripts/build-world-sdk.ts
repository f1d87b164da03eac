/** Writes the World SDK as browsers load it: `npm run world-sdk:build`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { bundleWorldSdk } from './world-sdk/bundle.ts'

mkdirSync('lib/world-sdk/built', { recursive: true })
for (const [name, text] of await bundleWorldSdk()) {
  writeFileSync(`lib/world-sdk/built/${name}`, text)
  console.log(`lib/world-sdk/built/${name}: ${text.length} characters`)
}
