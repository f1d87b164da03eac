import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { registryAbi, runnerAbi } from '../../lib/protocol/abi.ts'
import { compileContracts } from '../../scripts/contracts/compile.ts'

const root = join(import.meta.dirname, '../..')

test('what is committed of the contracts is what the sources compile to', { timeout: 600_000 }, () => {
  const artifacts = compileContracts(root)
  expect(artifacts.map(({ name }) => name)).toEqual(['Registry', 'Runner'])
  for (const { name, ...artifact } of artifacts) {
    const committed = JSON.parse(readFileSync(join(root, `contracts/artifacts/${name}.json`), 'utf8'))
    expect(committed).toEqual({ contractName: name, ...artifact })
    expect(artifact.deployedBytecode.length / 2 - 1).toBeLessThanOrEqual(24_576)
    // CBOR of the metadata's IPFS hash and of the compiler's release, 0.8.37.
    expect(artifact.deployedBytecode).toMatch(/a2646970667358221220[0-9a-f]{64}64736f6c63430008250033$/)
  }
  for (const [artifact, abi] of [
    [artifacts[0], registryAbi],
    [artifacts[1], runnerAbi],
  ] as const) {
    const compiled = JSON.stringify(artifact?.abi, (key, value) =>
      key === 'internalType' || value === '' || value === false ? undefined : value,
    )
    expect(new Set<unknown>(abi)).toEqual(new Set(JSON.parse(compiled)))
  }
})

/**
 * `CodeScan.sol` keeps its table where the compiler may keep variables that do not fit on the stack. The steps must
 * touch no memory but the table: DUP1 CALLDATALOAD PUSH0 BYTE MLOAD PUSH0 BYTE ADD, 32 times.
 */
test('the steps of the code scan keep their variables on the stack', () => {
  const { deployedBytecode } = JSON.parse(
    readFileSync(join(root, 'contracts/artifacts/Registry.json'), 'utf8'),
  )
  expect(deployedBytecode).toContain('80355f1a515f1a01'.repeat(32))
})
