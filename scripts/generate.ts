/** Writes the files that git ignores: the types of the API clients, the World SDK, the synthesiser, the service worker. `npm run generate` */
import { existsSync, readFileSync } from 'node:fs'
import { browserScripts } from './generated/browser-scripts.ts'
import { clientTypes } from './generated/client-types.ts'
import { worldSdk } from './generated/world-sdk.ts'
import { writeWhole } from './stack/files.ts'

for (const [path, text] of [...(await clientTypes()), ...(await worldSdk()), ...(await browserScripts())]) {
  // The build compares modification times: an equal file is not written.
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeWhole(path, text)
}
