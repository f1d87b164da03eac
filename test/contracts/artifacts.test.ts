import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compileContracts } from '../../scripts/contracts/compile.ts'
import { renderAbiModule } from '../../scripts/contracts/render-abi.ts'

const root = join(import.meta.dirname, '../..')

test('what is committed of the contracts is what the sources compile to', { timeout: 120_000 }, () => {
  const artifacts = compileContracts(root)
  expect(artifacts.map(({ name }) => name)).toEqual(['Registry', 'Runner'])
  for (const { name, ...artifact } of artifacts) {
    const committed = JSON.parse(readFileSync(join(root, `contracts/artifacts/${name}.json`), 'utf8'))
    expect(committed).toEqual({ contractName: name, ...artifact })
    expect(artifact.deployedBytecode.length / 2 - 1).toBeLessThanOrEqual(24_576)
  }
  // Inside the project, where the formatter finds its settings.
  const folder = mkdtempSync(join(root, 'lib/chain/.abi-'))
  try {
    const file = join(folder, 'abi.ts')
    writeFileSync(file, renderAbiModule(artifacts))
    execFileSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', file], { stdio: 'ignore' })
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(root, 'lib/chain/abi.ts'), 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
