import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Abi } from 'viem'
import { COMPILER_SETTINGS } from '../../lib/solidity/wrap.ts'

/** A compiled contract, as far as anybody here needs it. */
export interface ContractArtifact {
  readonly name: string
  readonly abi: Abi
  /** Init code, constructor arguments not appended. */
  readonly bytecode: `0x${string}`
  /** Code on chain, immutables zero. */
  readonly deployedBytecode: `0x${string}`
}

/** Contracts that are deployed. */
export const CONTRACTS = ['Registry', 'Runner'] as const

/** Settings of our own contracts: those of bodies, but tuned for calls, which are many, over deployment, once. */
export const CONTRACT_SETTINGS = {
  ...COMPILER_SETTINGS,
  optimizer: { enabled: true, runs: 1_000_000 },
} as const

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
 * Compiles files of `contracts/`.
 *
 * @param root the project's directory
 * @param files paths below `contracts/`, each with a contract of the same name
 * @throws Error with the compiler's messages, warnings included.
 */
export function compileContracts(
  root: string,
  files: readonly string[] = CONTRACTS.map((name) => `${name}.sol`),
): ContractArtifact[] {
  const require = createRequire(join(root, 'package.json'))
  const solc = require('solc') as {
    compile(
      input: string,
      callbacks: { import(path: string): { contents: string } | { error: string } },
    ): string
  }
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      files.map((file) => [
        `contracts/${file}`,
        { content: readFileSync(join(root, 'contracts', file), 'utf8') },
      ]),
    ),
    settings: {
      ...CONTRACT_SETTINGS,
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  }
  const read = (path: string) => {
    const file = path.startsWith('@openzeppelin/') ? join(root, 'node_modules', path) : join(root, path)
    try {
      return { contents: readFileSync(file, 'utf8') }
    } catch (error) {
      return { error: String(error) }
    }
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: read })) as SolcOutput
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
