import { fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, linkSync, lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesOf, type Outputs, type PlatformFunction } from './outputs.ts'

const LAUNCHER = fileURLToPath(new URL('launcher.ts', import.meta.url))

/** A function that runs. */
export interface RunningFunction {
  readonly port: number
  stop(): Promise<void>
}

/**
 * Puts exactly the files of a function into `folder` and starts it there, with no right to read anything else or to
 * write at all: what it lacks, it finds nowhere.
 *
 * @param environment All of its environment.
 * @throws Error when it does not start.
 */
export async function startFunction(
  outputs: Outputs,
  called: PlatformFunction,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<RunningFunction> {
  const { pathname } = called
  for (const [path, file] of filesOf(outputs, called)) put(join(outputs.projectDir, file), join(folder, path))
  const entry = relative(outputs.projectDir, called.filePath)
  // Nothing in the folder says what `.ts` is.
  const launcher = join(folder, 'launcher.mts')
  copyFileSync(LAUNCHER, launcher)
  const child = fork(launcher, [`./${entry}`, pathname === '/_middleware' ? 'proxy' : 'function'], {
    cwd: folder,
    env: environment,
    execArgv: ['--permission', `--allow-fs-read=${folder}`, '--allow-worker', '--disable-warning=PERM0006'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const port = await Promise.race([
    once(child, 'message').then(([told]) => told as number),
    exited.then(([code]): never => {
      throw new Error(`The function of ${pathname} ended at its start with ${code}`)
    }),
  ])
  return {
    port,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await exited
    },
  }
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
