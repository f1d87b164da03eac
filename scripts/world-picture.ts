/** Takes the preview picture of a World: `npm run world:picture -- my-world`. */
import { existsSync } from 'node:fs'
import { takePicture } from './world-kit/take-picture.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined || !existsSync(folder)) {
  console.error('Usage: npm run world:picture -- <folder>')
  process.exit(2)
}
try {
  console.log(`Wrote ${await takePicture(folder)}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
