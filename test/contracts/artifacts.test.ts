import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { passkeyAccountAbi, passkeyFactoryAbi, registryAbi, runnerAbi } from '#lib/protocol/abi.ts'
import {
  COMPILER_BUILD,
  CONTRACT_GROUPS,
  compileContracts,
  standardJsonInput,
} from '#scripts/contracts/compile.ts'

const root = join(import.meta.dirname, '../..')
const ABIS: Readonly<Record<string, readonly unknown[]>> = {
  Registry: registryAbi,
  Runner: runnerAbi,
  PasskeyFactory: passkeyFactoryAbi,
  PasskeyAccount: passkeyAccountAbi,
}

function committed(name: string) {
  return JSON.parse(readFileSync(join(root, `contracts/artifacts/${name}.json`), 'utf8'))
}

/** The hash that the compiler appends: of a file of at most one chunk, as IPFS stores it. */
function ipfsHash(text: string): string {
  const content = Buffer.from(text)
  if (content.length > 256 * 1024) throw new Error('More than one chunk')
  const file = Buffer.concat([
    Buffer.from([0x08, 0x02, 0x12]),
    varint(content.length),
    content,
    Buffer.from([0x18]),
    varint(content.length),
  ])
  const node = Buffer.concat([Buffer.from([0x0a]), varint(file.length), file])
  return `1220${createHash('sha256').update(node).digest('hex')}`
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest])
    bytes.push((rest & 0x7f) | 0x80)
  }
}

/**
 * The code names sources, settings and compiler by their hash, which takes no compilation. That it is what they compile
 * to takes half a minute: `npm run test:contracts`.
 */
test.each(Object.values(CONTRACT_GROUPS))(
  '%s and %s are committed as their sources make them',
  (...files) => {
    const { settings, ...input } = standardJsonInput(root, files)
    const wanted = { outputSelection: { '*': { '*': ['abi', 'metadata'] } } }
    const solc = createRequire(import.meta.url)('solc') as {
      compile(input: string): string
      version(): string
    }
    expect(solc.version()).toMatch(`${COMPILER_BUILD}.`)
    const output = JSON.parse(
      solc.compile(JSON.stringify({ ...input, settings: { ...settings, ...wanted } })),
    )
    for (const file of files) {
      const name = file.replace('.sol', '')
      const abi = ABIS[name]
      const { abi: compiled, metadata } = output.contracts[`contracts/${name}.sol`][name]
      const artifact = committed(name)
      expect(artifact.contractName).toBe(name)
      expect(artifact.abi).toEqual(compiled)
      // CBOR of the metadata's IPFS hash and of the compiler's release, 0.8.37.
      const ending = `a264697066735822${ipfsHash(metadata)}64736f6c63430008250033`
      expect(artifact.deployedBytecode.endsWith(ending), name).toBe(true)
      expect(artifact.bytecode).toContain(ending)
      expect(artifact.deployedBytecode.length / 2 - 1).toBeLessThanOrEqual(24_576)
      const plain = JSON.stringify(compiled, (key, value) =>
        key === 'internalType' || value === '' || value === false ? undefined : value,
      )
      expect(new Set<unknown>(abi)).toEqual(new Set(JSON.parse(plain)))
    }
  },
)

test.runIf(process.env.CONTRACTS_COMPILE)('it is what they compile to', { timeout: 600_000 }, () => {
  for (const files of Object.values(CONTRACT_GROUPS))
    for (const { name, ...artifact } of compileContracts(root, files))
      expect(committed(name)).toEqual({ contractName: name, ...artifact })
})

/**
 * `CodeScan.sol` keeps its table where the compiler may keep variables that do not fit on the stack. The steps must
 * touch no memory but the table: DUP1 CALLDATALOAD PUSH0 BYTE MLOAD PUSH0 BYTE ADD, 32 times.
 */
test('the steps of the code scan keep their variables on the stack', () => {
  expect(committed('Registry').deployedBytecode).toContain('80355f1a515f1a01'.repeat(32))
})
