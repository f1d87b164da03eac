import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export interface Sample {
  readonly language: string
  readonly code: string
}

/** The fenced blocks of a markdown file, in their order; those without a language have ''. */
export function samplesOf(path: string): Sample[] {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))
}

/** The file that a page has its reader put the pieces of TypeScript into. */
function fileOf(path: string): string {
  return /`(\w+\.m?ts)`/.exec(readFileSync(path, 'utf8'))?.[1] ?? 'samples.mts'
}

export interface RunOfSamples {
  readonly code: number | null
  readonly output: string
  /** The expected output, one text for each block of JSON in the file. */
  readonly promised: readonly string[]
}

/**
 * Runs the blocks of one language as a reader would: one after another, in a folder with nothing in it but what they need.
 *
 * @param env Added to this process's own.
 */
export async function runSamples(
  path: string,
  language: 'sh' | 'ts',
  env: Readonly<Record<string, string>>,
): Promise<RunOfSamples> {
  const samples = samplesOf(path)
  const code = samples.flatMap((sample) => (sample.language === language ? [sample.code] : [])).join('\n')
  const folder = mkdtempSync(join(tmpdir(), 'weft-samples-'))
  try {
    for (const needed of ['node_modules', 'contracts']) symlinkSync(resolve(needed), join(folder, needed))
    // As `npm init -y` leaves a folder.
    writeFileSync(join(folder, 'package.json'), '{"name":"folder","version":"1.0.0","type":"commonjs"}')
    const file = fileOf(path)
    writeFileSync(join(folder, file), code)
    const [command, ...args] =
      language === 'ts' ? [process.execPath, file] : ['bash', '-euo', 'pipefail', '-c', code]
    const result = await runCommand(command ?? '', args, env, folder)
    const promised = samples.flatMap((sample) => (sample.language === 'json' ? [sample.code.trim()] : []))
    return { ...result, promised }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a command to its end, and returns everything that it wrote. */
export function runCommand(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = process.cwd(),
): Promise<{ code: number | null; output: string }> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A loop that waits for what never comes must not outlive its test.
    timeout: 170_000,
    killSignal: 'SIGKILL',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise((settle, reject) => {
    child.once('error', reject)
    child.once('close', (code) => settle({ code, output }))
  })
}
