import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { toHex } from 'viem'
import { expect, inject, onTestFinished, test } from 'vitest'
import { buildClientPackage } from '#scripts/client-package/pack.ts'
import { pack } from '#scripts/npm-package/pack.ts'
import { devAccount } from '#scripts/stack/contracts.ts'
import { connectAgent } from '#test/server/mcp/connect.ts'

const endpoints = inject('endpoints')
const site = new URL(endpoints.chainApi).origin
const run = promisify(execFile)

/** A project with nothing in it but the packed client, and viem as it is here. */
async function projectWithClient(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-integrator-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const tarball = await pack(buildClientPackage, folder)
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder })
  symlinkSync(resolve('node_modules/viem'), join(folder, 'node_modules/viem'))
  return folder
}

test('the example of the packed client runs in a separate project', async () => {
  const folder = await projectWithClient()
  copyFileSync('examples/client/main.ts', join(folder, 'main.ts'))
  const key = devAccount(8).getHdKey().privateKey
  const { stdout } = await run(process.execPath, ['main.ts'], {
    cwd: folder,
    env: { ...process.env, WEFT: site, PRIVATE_KEY: key ? toHex(key) : '' },
    timeout: 160_000,
  })
  expect(stdout).toContain('simulated: 0 7 14 21 28 35 42 49')
  expect(stdout).toMatch(/block \d+: 0 7 14 21 28 35 42 49/)
})

test.each([['legacy' as const], [{ pin: '2026-07-28' }]])(
  'an agent connects to the built site and uses its tools (%j)',
  async (mode) => {
    const { client, call } = await connectAgent(`${site}/mcp`, { mode })
    expect(client.getInstructions()).toContain('concepts')
    const found = await call('search', { text: 'pitch', kinds: ['connector'] })
    expect(found.structured).toMatchObject({
      hits: expect.arrayContaining([expect.objectContaining({ name: 'pitch' })]),
    })
    const simulated = await call('simulate', { connector_name: 'pitch', particles_count: 4 })
    expect(simulated.failed, simulated.text).toBe(false)
    expect((await call('execute', { connector_name: 'pitch', particles_count: 4 })).structured).toMatchObject(
      {
        particles: simulated.value,
      },
    )
    const { contents } = await client.readResource({ uri: `${site}/docs/concepts.md` })
    expect(contents).toMatchObject([{ text: await (await fetch(`${site}/docs/concepts.md`)).text() }])
    await client.close()
  },
)
