/** Shows the World of a folder as the site would: `npm run world:preview -- my-world`. */
import { existsSync } from 'node:fs'
import { startPreview } from './world-kit/preview-server.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined || !existsSync(folder)) {
  console.error(
    folder === undefined ? 'Usage: npm run world:preview -- <folder>' : `There is no folder ${folder}.`,
  )
  process.exit(2)
}
const { url } = await startPreview(folder, Number(process.env.PORT ?? 0))
console.log(`${folder} is at ${url} and reloads when its files change. Ctrl+C ends it.`)
