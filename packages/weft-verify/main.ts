/** Checks certificates of runs: `weft-verify [--block HASH] [--node URL] <file>…`. Exit codes are in `README.md` beside this file. */
import { parseArgs } from 'node:util'
import { TrustProblem, trustOf, verifyFiles } from './verify-files.ts'

const USAGE = `Usage: weft-verify [--block HASH] [--node URL]… [--json] name.weft.json…

  --block HASH  a block of the chain that you trust
  --node URL    a node that you trust; repeat for more
  --json        a JSON object a line, in place of a sentence

Without either a file is at most consistent: whether its block is of the chain is not checked.
Exit codes: 0 every file is proven; 1 one is refuted, undecided or cannot be read; 2 usage; 4 one is only consistent.
`
const USAGE_EXIT = 2

process.exitCode = await main()

async function main(): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        block: { type: 'string' },
        node: { type: 'string', multiple: true },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (values.help) {
      process.stdout.write(USAGE)
      return 0
    }
    const trusted = trustOf(values.block, values.node)
    if (positionals.length === 0) throw new TrustProblem('Name the files to check')
    return await verifyFiles(positionals, trusted, values.json, (line) => console.log(line))
  } catch (error) {
    const isUsage = error instanceof TrustProblem || (error instanceof TypeError && 'code' in error)
    if (!isUsage) throw error
    console.error(`weft-verify: ${error.message}\n\n${USAGE}`)
    return USAGE_EXIT
  }
}
