import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimulatorPool } from '#lib/compute/simulator/pool.ts'
import { inspectBody } from '#lib/core/entities/slice/unsaved-body.ts'
import { argsCountOf } from '#lib/studio/document/args-count.ts'
import { SNIPPETS, type SnippetExample } from '#lib/ui/studio/code/snippets.ts'
import { sharedCompiler } from '#test/support/compiler.ts'

/** The descriptions in the library of snippets match their behaviour in the EVM. */

const compiler = sharedCompiler()
const engine = createSimulatorPool({ timeoutMs: 30_000, gasLimit: 30_000_000n, maxQueue: 100, threads: 1 })

beforeAll(() => compiler.compile('transformation', 'Warm', 'return x;'))
afterAll(() => engine.close())

test.each(SNIPPETS)('$kind “$title”', async ({ kind, title, source, takes, examples }) => {
  const body = await inspectBody({ compiler }, { kind, name: 'unnamed', source }, AbortSignal.timeout(60_000))
  if (!body.ok) throw new Error(JSON.stringify(body.diagnostics))
  expect(argsCountOf(source)).toBe(body.argsCount)
  if (takes !== undefined) return expect(body.argsCount).toBe(takes.length)
  expect(examples.length, title).toBeGreaterThan(0)
  for (const { x = 0, args, result } of examples) {
    const tried = await engine.tryBody({ artifact: body.artifact, x, args, steps: 1 })
    const got: SnippetExample['result'] = tried.rejection
      ? { reverts: tried.rejection.message }
      : kind === 'condition'
        ? tried.values[0] === 1
        : tried.values[0]!
    expect({ x, args, result: got }).toEqual({ x, args, result })
  }
})

test('titles of snippets of a kind are unique', () => {
  const titles = SNIPPETS.map(({ kind, title }) => `${kind} ${title}`)
  expect(new Set(titles).size).toBe(titles.length)
})
