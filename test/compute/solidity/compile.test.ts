import { keccak256 } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileBody } from '#lib/compute/solidity/compile-body.ts'
import type { Compiler } from '#lib/compute/solidity/compiler.ts'
import { createCompilerPool } from '#lib/compute/solidity/pool.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { vectorCases } from '#test/support/vectors.ts'

let compiler: Compiler

beforeAll(() => {
  compiler = createCompilerPool({ timeoutMs: 90_000, maxQueue: 100, threads: 1 })
})

afterAll(() => compiler.close())

async function refusal(body: string, kind: 'transformation' | 'condition' = 'transformation') {
  const error = await compiler.compile(kind, 'T', body).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Failure)
  expect(error).toMatchObject({ code: 'invalid_request' })
  return (error as Failure).message
}

describe('an artifact', () => {
  test('carries its name, argument count, code and content hash', async () => {
    const artifact = await compiler.compile('transformation', 'Plus', 'return x + args[0];')
    expect(artifact).toMatchObject({ kind: 'transformation', name: 'Plus', argsCount: 1 })
    expect(artifact.contentHash).toBe(codeContentHash('transformation', 'Plus', 1, artifact.runtime))
  })

  test('has the same code under any name, and another content hash', async () => {
    const body = 'return x * 7;'
    const [one, other] = await Promise.all([
      compiler.compile('transformation', 'One', body),
      compiler.compile('transformation', 'toString', body),
    ])
    expect(other.runtime).toBe(one.runtime)
    expect(other.contentHash).not.toBe(one.contentHash)
  })

  test('is the same from another compiler', async () => {
    const second = createCompilerPool({ timeoutMs: 10_000, maxQueue: 1, threads: 1 })
    const body = 'return x + args[0] * args[1];'
    try {
      const [a, b] = await Promise.all([compiler, second].map((c) => c.compile('transformation', 'T', body)))
      expect(keccak256(a!.runtime)).toBe(keccak256(b!.runtime))
    } finally {
      await second.close()
    }
  })

  test('has no trace of comments, so that sources stay with their authors', async () => {
    const [plain, noted] = await Promise.all([
      compiler.compile('transformation', 'T', 'return x + 3;'),
      compiler.compile('transformation', 'T', '/* my secret */ return x + 3; // and more'),
    ])
    expect(noted!.runtime).toBe(plain!.runtime)
  })
})

describe('args_count', () => {
  const bodies = vectorCases.flatMap(({ transformations, conditions }) => [
    ...transformations.map((entity) => ({ kind: 'transformation' as const, ...entity })),
    ...conditions.map((entity) => ({ kind: 'condition' as const, ...entity })),
  ])

  test('of every recorded body', async () => {
    for (const { kind, request, expected } of bodies) {
      const { argsCount } = await compiler.compile(kind, request.name, request.sol_src)
      expect([request.sol_src, argsCount]).toEqual([request.sol_src, expected?.args_count])
    }
  })

  test.each([
    ['return x;', 0],
    ['return args[0] + args[2];', 3],
    ['return args[0x2];', 3],
    ['return args[1_0];', 11],
    ['return args[2e0];', 3],
    ['return args[ 5 ];', 6],
    ['return (args)[(4)];', 5],
    ['return args /* [9] */ [1];', 2],
    ['return args[\n3\n];', 4],
    ['return args[4294967294];', 4294967295],
    ['return args[args[1]];', 2],
    ['return args[1 + 1];', 0],
    ['uint256 i = 7; return args[i];', 0],
    ['return uint32(args.length);', 0],
    ['return args[1:][4];', 0],
    ['/* args[3] */ return x; // args[9]', 0],
    ['string memory s = "args[3]"; s; return x;', 0],
    ['uint32[] memory xargs = new uint32[](9); return xargs[3];', 0],
    ['uint32[] memory args = new uint32[](9); return args[8];', 0],
    ['{ uint32[9] memory args; args[8] = 1; } return args[1];', 2],
    ['if (false) { return args[6]; } return x;', 7],
    ['uint32[] calldata other = args; return other[5];', 0],
  ])('of %s', async (body, expected) => {
    expect((await compiler.compile('transformation', 'T', body)).argsCount).toBe(expected)
  })

  test('beyond 32 bits is refused with its place', async () => {
    expect(await refusal('return x\n  + args[4294967295];')).toBe(
      'sol_src does not compile:\n2:5 args[4294967295] is out of range, the index must be below 4294967295',
    )
  })
})

describe('problems', () => {
  test.each([
    ['return y;', '1:8 Undeclared identifier.'],
    ['return x', "1:9 Expected ';' but got '}'"],
    ['return x\n\n', "1:9 Expected ';' but got '}'"],
    ['uint32 y = x\nreturn y;', "1:13 Expected ';' but got 'return'"],
    ['x += 1 // one; more\n/* and */\n  return x;', "1:7 Expected ';' but got 'return'"],
    ['\n\n  return y;', '3:10 Undeclared identifier.'],
    ['\r\n\r\n  return y;', '3:10 Undeclared identifier.'],
    ['/* é */ return y;', '1:16 Undeclared identifier.'],
    ['/* 😀😀 */ return y;', '1:17 Undeclared identifier.'],
    ['// 漢字\nreturn y;', '2:8 Undeclared identifier.'],
    [
      'a;\nb;\nreturn c;',
      '1:1 Undeclared identifier.\n2:1 Undeclared identifier.\n3:8 Undeclared identifier.',
    ],
    ['return args;', /^1:8 Return argument type uint32\[\] calldata is not implicitly convertible/],
  ])('of %j', async (body, expected) => {
    const [heading, ...problems] = (await refusal(body)).split('\n')
    expect(heading).toBe('sol_src does not compile:')
    if (typeof expected === 'string') expect(problems.join('\n')).toBe(expected)
    else expect(problems.join('\n')).toMatch(expected)
  })

  test.each([
    ['assembly { selfdestruct(0) } return x;', 'SELFDESTRUCT'],
    ['address(1).delegatecall(""); return x;', 'DELEGATECALL'],
    ['assembly { pop(delegatecall(gas(), 1, 0, 0, 0, 0)) } return x;', 'DELEGATECALL'],
    ['assembly { pop(callcode(gas(), 1, 0, 0, 0, 0, 0)) } return x;', 'CALLCODE'],
    ['assembly { pop(create(0, 0, 0)) } return x;', 'CREATE'],
    ['assembly { pop(create2(0, 0, 0, 0)) } return x;', 'CREATE2'],
  ])('of %s name the opcode that the registry refuses', async (body, opcode) => {
    expect(await refusal(body)).toContain(`The registry refuses ${opcode}.`)
  })

  test('of a table of constants into which a jump might lead', async () => {
    const table = (bytes: string) =>
      `bytes memory t = hex"${bytes.repeat(300)}"; return uint32(uint8(t[x % 600]));`
    expect(await refusal(table('5bff'))).toMatch(
      /^sol_src is refused: at byte \d+ of its code stands SELFDESTRUCT \(0xff\), which the registry refuses/,
    )
    // Behind the last instruction and without a jump destination they are only bytes.
    expect((await compiler.compile('transformation', 'T', table('01ff'))).runtime).toMatch(/fe(01ff){16}$/)
  })

  test('of a condition', async () => {
    expect(await refusal('return 7;', 'condition')).toContain('1:8 Return argument type int_const 7')
    expect(await refusal('return x > 0;', 'condition')).toContain('1:8 Undeclared identifier.')
  })

  test('are listed up to fifty', async () => {
    const message = await refusal('y;'.repeat(200))
    expect(message.split('\n')).toHaveLength(52)
    expect(message).toMatch(/\nand 150 more$/)
  })

  test('of blank and long bodies', async () => {
    for (const body of ['', ' ', '\n\t']) expect(await refusal(body)).toBe('sol_src is empty')
    expect(await refusal(`return x;${' '.repeat(32_768)}`)).toBe('sol_src is longer than 32768 bytes')
    const fits = `return x;${' '.repeat(32_768 - 9)}`
    expect((await compiler.compile('transformation', 'T', fits)).argsCount).toBe(0)
  })

  test('of code that no chain would take', async () => {
    // Words that do not repeat, or the optimiser would merge the copies.
    let seed = 1
    const letter = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return String.fromCharCode(97 + (seed % 26))
    }
    // In pieces: the optimiser takes twice as long for one text of all.
    const piece = (_: unknown, i: number) =>
      `if (x == ${i}) { string memory s = "${Array.from({ length: 1000 }, letter).join('')}"; return uint32(uint8(bytes(s)[args[0]])); }`
    expect(await refusal(`${Array.from({ length: 21 }, piece).join('')} return x;`)).toMatch(
      /^sol_src is refused: it compiles to \d+ bytes of code, more than the 24576 a contract may have$/,
    )
  })
})

test('a body that breaks the compiler is refused, and the next one finds a new compiler', () => {
  // Without the large stack of a pool thread, this many nested expressions overflow it.
  const deep = `return x${'+1'.repeat(5000)};`
  expect(compileBody('transformation', deep)).toEqual({
    status: 'refused',
    reason: 'the compiler gave up on it: it nests too deeply or needs too much memory',
  })
  expect(compileBody('transformation', 'return args[1];')).toMatchObject({ status: 'compiled', argsCount: 2 })
})
