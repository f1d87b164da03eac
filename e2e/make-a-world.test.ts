import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { samplesOf } from '#test/support/doc-samples.ts'
import { sitePages } from '#test/support/site-pages.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site, { moving: true })

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-made-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the commands of the page about making a World lead from nothing to a World that draws', async () => {
  const env = { ...process.env, SITE: site, PRIVATE_KEY: generatePrivateKey() }
  // A preview runs until it is stopped; `test/core/worlds/kit.test.ts` tests it.
  const commands = samplesOf('docs/make-a-world.md').flatMap(({ language, code }) =>
    language === 'sh' && !code.includes('world:preview') ? [code.replaceAll('my-worlds', folder)] : [],
  )
  expect(commands).toHaveLength(3)
  let output = ''
  for (const command of commands) {
    output += (await promisify(execFile)('bash', ['-euc', command], { env })).stdout
  }
  expect(output).toContain('preview.png')
  expect(output).toContain(`first-light 0.1.0 is at ${site}/worlds/first-light`)

  const page = await open('/worlds/first-light?connector=nocturne')
  await page.frameLocator('iframe').getByRole('img', { name: '192 drops of nocturne' }).waitFor()
  await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('First light')
})
