import { spawn } from 'node:child_process'
import { resolve } from 'node:path'

/*
 * Walks through the studio in a real browser, at every size and in both themes, by keyboard: from the first visit to a
 * template that sounds, to a shared link that plays. Checks each step, and writes pictures of it to a folder.
 *
 *   npm run studio:walk -- FOLDER
 */

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Name a folder for the pictures: npm run studio:walk -- FOLDER')
  process.exit(2)
}
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.e2e.config.ts']
const walk = spawn(process.execPath, [...vitest, 'e2e/studio-window.test.ts', '-t', 'by keyboard'], {
  stdio: 'inherit',
  env: { ...process.env, PICTURES: resolve(folder) },
})
walk.on('exit', (code) => process.exit(code ?? 1))
