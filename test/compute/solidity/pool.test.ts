import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Compiler } from '#lib/compute/solidity/compiler.ts'
import { type CompilerPoolOptions, createCompilerPool } from '#lib/compute/solidity/pool.ts'
import { compileLimitMs } from '#test/support/compiler.ts'

/** Takes many seconds to compile. */
const SLOW = `return x${'+1'.repeat(1000)};`

const open: Compiler[] = []
let limitMs: number

beforeAll(async () => {
  limitMs = await compileLimitMs()
})

function pool(options: Partial<CompilerPoolOptions> = {}): Compiler {
  const compiler = createCompilerPool({ timeoutMs: 30_000, maxQueue: 16, threads: 1, ...options })
  open.push(compiler)
  return compiler
}

function compile(compiler: Compiler, body: string, signal?: AbortSignal) {
  return compiler.compile('transformation', 'T', body, signal)
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((compiler) => compiler.close()))
})

describe('limits', () => {
  test('a slow body ends at the time limit, and one that waited as long compiles', async () => {
    const compiler = pool({ timeoutMs: limitMs })
    await compile(compiler, 'return x;')
    const slow = expect(compile(compiler, SLOW)).rejects.toMatchObject({
      code: 'invalid_request',
      message: `Compilation took longer than ${limitMs} ms; simplify the body`,
    })
    const next = compile(compiler, 'return x + 1;')
    await slow
    expect((await next).argsCount).toBe(0)
  })

  test('a full queue rejects at once with a retry delay', async () => {
    const compiler = pool({ maxQueue: 1, timeoutMs: limitMs })
    await compile(compiler, 'return x;')
    for (const n of [1, 2]) compile(compiler, `${SLOW} // ${n}`).catch(() => 'ended with the pool')
    await expect(compile(compiler, 'return x + 1;')).rejects.toMatchObject({
      code: 'overloaded',
      details: { retryAfterSeconds: 2 },
    })
    await expect(compile(compiler, 'return x;')).resolves.toMatchObject({ argsCount: 0 })
  })
})

describe('one pool', () => {
  let compiler: Compiler
  beforeAll(async () => {
    compiler = createCompilerPool({ timeoutMs: 120_000, maxQueue: 2, threads: 1 })
    await compile(compiler, 'return x;')
  })
  afterAll(() => compiler.close())

  test('compiles equal bodies at the same time once', async () => {
    const body = 'return x + args[1];'
    const same = await Promise.all(Array.from({ length: 50 }, () => compile(compiler, body)))
    expect(new Set(same.map(({ runtime }) => runtime)).size).toBe(1)
  })

  test('has one body of two kinds as two', async () => {
    const body = 'return args.length == 0 ? args[0] : args[1];'
    await expect(compiler.compile('transformation', 'T', body)).resolves.toMatchObject({ argsCount: 2 })
    await expect(compiler.compile('condition', 'T', body)).rejects.toThrow('not implicitly convertible')
  })

  test('answers a known body without waiting for a thread, and an aborted call frees the thread', async () => {
    await expect(compile(compiler, 'return y;')).rejects.toThrow('Undeclared')
    const controller = new AbortController()
    let isBusy = true
    const cancelled = compile(compiler, SLOW, controller.signal).finally(() => {
      isBusy = false
    })
    const next = compile(compiler, 'return x + 2;')
    await compile(compiler, 'return x;')
    await expect(compile(compiler, 'return y;')).rejects.toThrow('Undeclared')
    expect(isBusy).toBe(true)
    controller.abort(new Error('gone'))
    await expect(cancelled).rejects.toThrow('gone')
    // On the thread that the slow body would hold to the end of this test and beyond.
    expect((await next).argsCount).toBe(0)
  })

  test('goes on with a call of which one caller leaves', async () => {
    const controller = new AbortController()
    const body = 'return x + 40;'
    const leaving = compile(compiler, body, controller.signal)
    const staying = compile(compiler, body)
    controller.abort(new Error('gone'))
    await expect(leaving).rejects.toThrow('gone')
    expect((await staying).argsCount).toBe(0)
  })

  test('starts nothing for a call that is already aborted', async () => {
    await expect(compile(compiler, SLOW, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    await expect(compile(compiler, 'return x + 3;')).resolves.toMatchObject({ argsCount: 0 })
  })
})
