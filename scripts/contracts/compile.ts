import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, posix } from 'node:path'
import type { Abi } from 'viem'
import { COMPILER_SETTINGS, SOLC_VERSION } from '#lib/compute/solidity/wrap.ts'
import type { VerifierInputs } from '#lib/features/verifier/index.ts'

/** A compiled contract. */
export interface ContractArtifact {
  readonly name: string
  readonly abi: Abi
  /** Init code, constructor arguments not appended. */
  readonly bytecode: `0x${string}`
  /** Code on chain, immutables zero. */
  readonly deployedBytecode: `0x${string}`
}

/** The compiler as verifiers name it. */
export const COMPILER_BUILD = `${SOLC_VERSION}+commit.f401782d`

/** Contracts that are deployed, in the groups that are compiled together. */
export const CONTRACT_GROUPS = {
  protocol: ['Registry.sol', 'Runner.sol'],
  passkeys: ['PasskeyFactory.sol', 'PasskeyAccount.sol'],
} as const

/**
 * Settings of our own contracts: those of bodies, but optimised for calls instead of deployment, and with the hash of
 * sources and settings in the code, by which verifiers recognise an exact match.
 */
const CONTRACT_SETTINGS = {
  ...COMPILER_SETTINGS,
  optimizer: { enabled: true, runs: 1_000_000 },
  metadata: { appendCBOR: true, bytecodeHash: 'ipfs' },
} as const

/** solc's standard JSON input. */
interface StandardJsonInput {
  readonly language: 'Solidity'
  readonly sources: Readonly<Record<string, { readonly content: string }>>
  readonly settings: Readonly<Record<string, unknown>>
}

interface SolcOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts?: Readonly<
    Record<
      string,
      Record<
        string,
        {
          readonly abi: Abi
          readonly evm: {
            readonly bytecode: { readonly object: string }
            readonly deployedBytecode: { readonly object: string }
          }
        }
      >
    >
  >
}

/**
 * Standard JSON input of files of `contracts/` with everything they import. The code depends on the whole input, so
 * a verifier needs this very one.
 *
 * @param root the project's directory
 * @param files paths below `contracts/`
 */
export function standardJsonInput(
  root: string,
  files: readonly string[] = CONTRACT_GROUPS.protocol,
): StandardJsonInput {
  const sources = new Map<string, { content: string }>()
  const add = (path: string): void => {
    if (sources.has(path)) return
    const file = path.startsWith('@') ? join(root, 'node_modules', path) : join(root, path)
    const content = readFileSync(file, 'utf8')
    sources.set(path, { content })
    for (const [, imported] of content.matchAll(/^import\s(?:[^;"]*\sfrom\s+)?"([^"]+)";/gm)) {
      const target = imported as string
      add(target.startsWith('.') ? posix.join(posix.dirname(path), target) : target)
    }
  }
  for (const file of files) add(`contracts/${file}`)
  return {
    language: 'Solidity',
    sources: Object.fromEntries([...sources].sort(([a], [b]) => (a < b ? -1 : 1))),
    settings: {
      ...CONTRACT_SETTINGS,
      outputSelection: {
        '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] },
      },
    },
  }
}

/** Input from which verifiers compile our contracts. @param root the project's directory */
export function verifierInputs(root: string): VerifierInputs {
  return {
    compiler: COMPILER_BUILD,
    protocol: standardJsonInput(root),
    passkeys: standardJsonInput(root, CONTRACT_GROUPS.passkeys),
  }
}

/**
 * Compiles files of `contracts/`.
 *
 * @param root the project's directory
 * @param files paths below `contracts/`, each with a contract of the same name
 * @throws Error with the compiler's messages, warnings included.
 */
export function compileContracts(
  root: string,
  files: readonly string[] = CONTRACT_GROUPS.protocol,
): ContractArtifact[] {
  const require = createRequire(join(root, 'package.json'))
  const solc = require('solc') as { compile(input: string): string }
  const output = JSON.parse(solc.compile(JSON.stringify(standardJsonInput(root, files)))) as SolcOutput
  const messages = output.errors ?? []
  if (messages.length > 0) throw new Error(messages.map((message) => message.formattedMessage).join('\n'))
  return files.map((file) => {
    const name = file.replace(/^.*\//, '').replace(/\.sol$/, '')
    const contract = output.contracts?.[`contracts/${file}`]?.[name]
    if (contract === undefined) throw new Error(`contracts/${file} has no contract ${name}`)
    return {
      name,
      abi: contract.abi,
      bytecode: `0x${contract.evm.bytecode.object}`,
      deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
    }
  })
}
