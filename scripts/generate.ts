/**
 * Writes the files that git ignores: the types of the API clients, the World SDK, the synthesiser, the player of files,
 * what verifiers compile our contracts from. `npm run generate`
 */
import { existsSync, readFileSync } from 'node:fs'
import { verifierInputs } from './contracts/compile.ts'
import { browserScripts } from './generated/browser-scripts.ts'
import { clientTypes } from './generated/client-types.ts'
import { piecePlayer } from './generated/piece-player.ts'
import { worldSdk } from './generated/world-sdk.ts'
import { writeWhole } from './stack/files.ts'

const verifiers = [
  ['lib/features/verifier/verifiers/built/inputs.json', JSON.stringify(verifierInputs('.'))],
] as const
// In this order: the player holds the synthesiser.
for (const generated of [clientTypes, worldSdk, browserScripts, piecePlayer, async () => verifiers]) {
  for (const [path, text] of await generated()) {
    // The build compares modification times: an equal file is not written.
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeWhole(path, text)
  }
}
