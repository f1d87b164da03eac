/** The command line `weft`. Exit codes are in `README.md` beside this file. */
import type { WeftError } from '../../lib/client/index.ts'
import { COMMANDS } from './commands.ts'
import { parse, siteOf, UsageError } from './options.ts'

/** Written by the program that packs. */
declare const VERSION: string

const HELP = `weft: simulate, run, publish, follow and verify connectors

${Object.entries(COMMANDS)
  .map(([name, { usage, summary }]) => `  weft ${name} ${usage}\n      ${summary}.`)
  .join('\n')}

Options
  --site <url>        the site; default: WEFT, else http://localhost:3000
  -n, --count <n>     particles, 1 to 65536; default: 16
  --start <p>=<s>     running instance p starts at s; <p>=<s>:<shift> begins with a later step. Repeat for more
  --json              print JSON, one value a line
  -o, --out <file>    the file to write
  --block <hash>      a block of the chain that you trust, for verify
  --node <url>        a node of the chain that you trust, for certify and verify. Repeat for more
  --key-file <file>   a file with the private key that publishes; else PRIVATE_KEY
  --title <title>     the title of the connector that publish publishes
  --present <file>    a file with how it sounds and looks, as JSON: /docs/authors-words of the site
  --max-cost <n>      what publishing may cost at most, in the chain's currency; default: 0.05
  -h, --help          this page
  --version           the version of the APIs that this program speaks
`

const EXIT = { refused: 1, usage: 2, unreachable: 3 } as const

// A reader that leaves, like `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  let site = ''
  try {
    const { values, positionals } = parse(args)
    const [name, ...names] = positionals
    if (values.version) return print(VERSION)
    if (values.help || name === undefined || name === 'help') {
      process.stdout.write(HELP)
      return values.help || name === 'help' ? 0 : EXIT.usage
    }
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (command === undefined) {
      throw new UsageError(`There is no command "${name}": ${Object.keys(COMMANDS).join(', ')}`)
    }
    site = siteOf(values)
    return await command.run(names, values, print)
  } catch (error) {
    return explain(error, site)
  }
}

function print(line: string): 0 {
  process.stdout.write(`${plain(line)}\n`)
  return 0
}

/** Text of strangers, without what would control a terminal. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\uFFFD')
}

function explain(error: unknown, site: string): number {
  const say = (text: string) => process.stderr.write(`weft: ${plain(text)}\n`)
  if (error instanceof UsageError) {
    say(`${error.message.replaceAll(/\s+/g, ' ').replace(/\.$/, '')}. See weft --help.`)
    return EXIT.usage
  }
  const message = error instanceof Error ? error.message : String(error)
  // What fetch throws without a response.
  if (error instanceof TypeError && error.message === 'fetch failed') {
    const { cause } = error
    say(
      `${site} does not answer${cause instanceof Error ? ` (${cause.message})` : ''}. Name another site by --site or WEFT.`,
    )
    return EXIT.unreachable
  }
  const status =
    error instanceof Error && error.name === 'WeftError' ? (error as WeftError).status : undefined
  say(status === undefined ? message : `${message} (status ${status})`)
  return EXIT.refused
}
