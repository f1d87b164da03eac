import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { toHex } from 'viem'
import { describe, expect, inject, test } from 'vitest'
import { devAccount } from '#scripts/stack/contracts.ts'
import { runCommand, runSamples } from '#test/support/doc-samples.ts'

const endpoints = inject('endpoints')

/** Runs a command in the project's root like a reader of the examples, and returns its output. */
function shell(command: string, args: readonly string[]) {
  return runCommand(command, args, {
    CHAIN_API: endpoints.chainApi,
    CHAIN_RPC: endpoints.chainRpc,
    PATH: `${resolve('node_modules/.bin')}:${process.env.PATH}`,
  })
}

test('the shell blocks of examples/README.md run as written', async () => {
  const page = readFileSync('examples/README.md', 'utf8')
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1])
  expect(blocks.length).toBeGreaterThanOrEqual(6)
  // It starts what is first on the path, which npm takes a second to find out: twenty times.
  const script = ['npx() { "$@"; }', ...blocks].join('\n')
  const { code, output } = await shell('bash', ['-euo', 'pipefail', '-c', script])
  expect(output).toContain('"status":"mined"')
  expect(output).toContain('[0,7,14,21,28,35,42,49]')
  expect(code, output).toBe(0)
})

test('examples/whole-loop.ts gets the same particles from the chain as from the simulator', async () => {
  const { code, output } = await shell(process.execPath, ['examples/whole-loop.ts'])
  expect(output).toContain('the chain gives the same particles')
  expect(code, output).toBe(0)
})

/** The samples of the site's documentation; each page that sends transactions has its own account. */
describe('docs/site', () => {
  const site = new URL(endpoints.chainApi).origin

  test.each([
    ['tutorial/curl', 'sh', 5],
    ['tutorial/typescript', 'ts', 6],
    ['tutorial/agent', 'sh', 5],
    ['using-the-apis', 'sh', 5],
    ['concepts', 'sh', 5],
    ['agents', 'ts', 5],
  ] as const)(
    'the samples of %s run as written, and print what the page says',
    async (page, language, index) => {
      const key = devAccount(index).getHdKey().privateKey
      const { code, output, promised } = await runSamples(`docs/site/${page}.md`, language, {
        WEFT: site,
        CHAIN_RPC: endpoints.chainRpc,
        PRIVATE_KEY: key ? toHex(key) : '',
      })
      expect(code, output).toBe(0)
      for (const text of promised) expect(output).toContain(text)
      if (page === 'tutorial/typescript') expect(output).toContain('the node says the same')
    },
  )
})
