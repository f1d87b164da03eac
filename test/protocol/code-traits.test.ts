import { describe, expect, test } from 'vitest'
import type { Artifact, CodeArtifact } from '#lib/protocol/artifact.ts'
import { codeTraits, traitsOf } from '#lib/protocol/code-traits.ts'
import type { Hex } from '#lib/protocol/entity.ts'

const CALLING = { dependsOn: 'surroundings', reads: ['GAS', 'STATICCALL'], calls: true }
const INPUT = { dependsOn: 'input', reads: [], calls: false }

describe('what the results of code depend on', () => {
  test.each<[string, Hex, object]>([
    ['no code', '0x', INPUT],
    ['arithmetic of the input', '0x60043560010160005260206000f3', INPUT],
    ['TIMESTAMP', '0x4260005260206000f3', { dependsOn: 'block', reads: ['TIMESTAMP'] }],
    ['BASEFEE and BLOBBASEFEE', '0x484a01', { dependsOn: 'block', reads: ['BASEFEE', 'BLOBBASEFEE'] }],
    ['a byte of what is pushed', '0x6142435f', INPUT],
    ['a byte behind the end of what is pushed', '0x614243435f', { dependsOn: 'block', reads: ['NUMBER'] }],
    ['GAS', '0x5a50', { dependsOn: 'surroundings', reads: ['GAS'] }],
    ['GAS beside TIMESTAMP', '0x5a4201', { dependsOn: 'surroundings', reads: ['GAS', 'TIMESTAMP'] }],
    ['BALANCE', '0x5f31', { dependsOn: 'surroundings', reads: ['BALANCE'] }],
    ['SLOAD', '0x5f54', { dependsOn: 'surroundings', reads: ['SLOAD'] }],
    ['TLOAD', '0x5f5c', INPUT],
    ['a call of sha256 as compilers write it', '0x5f5f5f5f60025afa', CALLING],
    ['one of the point evaluation', '0x5f5f5f5f600a5afa', CALLING],
    ['one of an address that is computed', '0x5f5f5f5f6001355afa', CALLING],
    ['DELEGATECALL', '0x5f5f5f5f5ff4', { dependsOn: 'surroundings', reads: ['DELEGATECALL'], calls: true }],
    ['data behind the end', '0x5f5ff342435a', INPUT],
    ['a place to jump to behind the end', '0x5f5ff35b42', { dependsOn: 'block', reads: ['TIMESTAMP'] }],
    ['what follows a byte that is no instruction', '0x0c42', INPUT],
  ])('%s', (_, code, expected) => {
    expect(codeTraits(code)).toMatchObject(expected)
  })

  test('a connector depends on what any of its parts does', () => {
    const code = (name: string, runtime: Hex): CodeArtifact => ({
      kind: 'transformation',
      name,
      argsCount: 0,
      runtime,
      contentHash: `0x${name.repeat(64)}`,
    })
    const [plain, timed, calling] = [
      code('1', '0x5f'),
      code('2', '0x42'),
      code('3', '0x5f5f5f5f5f5af1'),
    ] as const
    const traits = (...artifacts: Artifact[]) => traitsOf(artifacts)
    expect(traits()).toEqual(INPUT)
    expect(traits(plain)).toEqual(INPUT)
    expect(traits(plain, timed)).toEqual({ dependsOn: 'block', reads: ['TIMESTAMP'], calls: false })
    expect(traits(timed, plain, calling)).toEqual({
      dependsOn: 'surroundings',
      reads: ['TIMESTAMP', 'GAS', 'CALL'],
      calls: true,
    })
  })
})
