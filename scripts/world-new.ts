/** Begins a World from the template: `npm run world:new -- my-world`. */
import { newWorld } from './world-kit/new-world.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: npm run world:new -- <folder>, for instance my-worlds/first-light')
  process.exit(2)
}
try {
  newWorld(folder)
  console.log(`${folder} is a World. Look at it, change it, publish it:

  npm run world:preview -- ${folder}
  npm run world:publish -- ${folder}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
