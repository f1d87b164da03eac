import { fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, linkSync, lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Outputs } from './keep-outputs.ts'

const root = join(import.meta.dirname, '../..')

/**
 * Starts a function of a build in an empty folder, with exactly its files and no right to read anything else or to write
 * at all: what it lacks, it finds nowhere.
 *
 * @param own The folder.
 * @returns its port, and a function that ends it.
 * @throws Error when it does not start.
 */
export async function startFunction(
  outputs: Outputs,
  pathname: string,
  own: string,
  env: NodeJS.ProcessEnv,
): Promise<{ port: number; end: () => void }> {
  const output = outputs.functions.find((each) => each.pathname === pathname)
  if (output === undefined) throw new Error(`No function answers ${pathname}`)
  put(join(root, output.entry), join(own, output.entry))
  for (const [path, file] of output.assets.flatMap((number) => outputs.assets.slice(number, number + 1))) {
    put(join(root, file), join(own, path))
  }
  // Nothing in the folder declares the type of `.ts`.
  copyFileSync(join(import.meta.dirname, 'launcher.ts'), join(own, 'launcher.mts'))
  const execArgv = ['--permission', `--allow-fs-read=${own}`, '--allow-worker', '--disable-warning=PERM0006']
  const kind = pathname === '/_middleware' ? 'proxy' : 'function'
  const child = fork(join(own, 'launcher.mts'), [`./${output.entry}`, kind], {
    cwd: own,
    env,
    execArgv,
  })
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`The function of ${pathname} ended at its start with ${code}`)
  })
  ended.catch(() => undefined)
  const [port] = await Promise.race([once(child, 'message'), ended])
  return { port, end: () => child.kill('SIGKILL') }
}

/** By a link where one can be made: files of a function are many, and nothing writes to them. */
function put(file: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  try {
    if (lstatSync(file).isSymbolicLink()) symlinkSync(readlinkSync(file), to)
    else linkSync(file, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EXDEV') copyFileSync(file, to)
    else if (code !== 'EEXIST') throw error
  }
}
