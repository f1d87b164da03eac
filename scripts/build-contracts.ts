import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTRACT_GROUPS, compileContracts, standardJsonInput } from './contracts/compile.ts'

/**
 * Compiles `contracts/` into `contracts/artifacts/*.json`. The build is reproducible; a test compares it with the
 * committed files and with `lib/protocol/abi.ts`. With `--standard-json` it prints the compiler's input instead, for
 * verifiers; `--standard-json passkeys` that of the accounts of passkeys.
 */
const root = join(import.meta.dirname, '..')
if (process.argv.includes('--standard-json')) {
  const group = process.argv.includes('passkeys') ? CONTRACT_GROUPS.passkeys : CONTRACT_GROUPS.protocol
  console.log(JSON.stringify(standardJsonInput(root, group), null, 2))
} else await build()

async function build(): Promise<void> {
  const artifacts = Object.values(CONTRACT_GROUPS).flatMap((files) => compileContracts(root, files))
  mkdirSync(join(root, 'contracts/artifacts'), { recursive: true })
  for (const { name, ...artifact } of artifacts) {
    const path = join(root, `contracts/artifacts/${name}.json`)
    writeFileSync(path, `${JSON.stringify({ contractName: name, ...artifact }, null, 2)}\n`)
    const size = artifact.deployedBytecode.length / 2 - 1
    console.log(`${name}: ${size} bytes`)
  }
  // Loaded now, because it reads the artifacts.
  const { contractAddresses } = await import('#lib/chain/deploy.ts')
  for (const [name, address] of Object.entries(contractAddresses())) console.log(`${name}: ${address}`)
}
