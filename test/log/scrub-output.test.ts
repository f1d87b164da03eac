import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const MODULE = join(import.meta.dirname, '../../lib/platform/log/scrub.ts')

const REGISTER = join(import.meta.dirname, '../../instrumentation.ts')

/** Prints as site and worker do, and as one whose uncaught errors are printed too: that must not feed on itself. */
const PROGRAM = `
  import { writeFileSync } from 'node:fs'
  import { scrubOutput } from ${JSON.stringify(MODULE)}
  scrubOutput()
  let uncaught = 0
  process.on('uncaughtException', (error) => { uncaught += 1; if (uncaught < 100) console.error(error) })
  process.stdin.once('data', async () => {
    for (let i = 0; i < 20; i++) {
      console.error('a line')
      process.stdout.write('another')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    process.exit(uncaught === 0 ? 0 : 3)
  })
`

test('survives the exit of its reader', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], { stdio: 'pipe' })
  child.stdout.destroy()
  child.stderr.destroy()
  child.stdin.write('go')
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
})

async function errorsOf(program: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: 'pipe',
    env: { NODE_ENV: 'test', PATH: process.env.PATH, ...env },
  })
  let printed = ''
  for await (const part of child.stderr.setEncoding('utf8')) printed += part
  return printed
}

test('prints no query parameters of an error that a framework received', async () => {
  const printed = await errorsOf(`
    import { scrubOutput } from ${JSON.stringify(MODULE)}
    scrubOutput()
    const failed = new Error('Failed query: select $1\\nparams: dear diary')
    console.error('⨯', Object.assign(failed, { query: 'select $1', params: ['dear diary'] }))
  `)
  expect(printed).toContain('⨯ Error: Failed query: select $1\n    at ')
  expect(printed).not.toContain('diary')
})

test('is begun by Next where no program of ours starts it, and once where one did', async () => {
  const program = `
    import { register } from ${JSON.stringify(REGISTER)}
    await register()
    const { write } = process.stderr
    await register()
    console.error('asked with Bearer abcdef', write === process.stderr.write)
  `
  expect(await errorsOf(program, { NEXT_RUNTIME: 'nodejs' })).toBe('asked with Bearer [token] true\n')
})
