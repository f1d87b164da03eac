/** Begins a World from the template: `npm run world:new -- my-world`. */
import { runCommand } from './stack/command.ts'
import { newWorld } from './world-kit/new-world.ts'

await runCommand(() => {
  const [folder] = process.argv.slice(2)
  if (folder === undefined)
    throw new Error('Usage: npm run world:new -- <folder>, for instance my-worlds/first-light')
  newWorld(folder)
  console.log(`${folder} is a World. Preview, edit and publish it:

  npm run world:preview -- ${folder}
  npm run world:publish -- ${folder}`)
})
