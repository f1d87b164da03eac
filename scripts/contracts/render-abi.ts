import type { ContractArtifact } from './compile.ts'

/** Source of `lib/chain/abi.ts`, before formatting. */
export function renderAbiModule(artifacts: readonly ContractArtifact[]): string {
  const abis = artifacts.map(
    ({ name, abi }) =>
      `/** ABI of \`contracts/${name}.sol\`. */\nexport const ${name.toLowerCase()}Abi = ${JSON.stringify(abi, null, 2)} as const\n`,
  )
  return `// Written by \`npm run contracts:build\`; do not edit.\n\n${abis.join('\n')}`
}
