import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnvilNode, startAnvil } from '#scripts/stack/anvil.ts'
import { anyFreePort } from '#scripts/stack/ports.ts'
import type { PostgresServer } from '#scripts/stack/postgres.ts'
import type { Endpoints } from '#scripts/stack/stack.ts'
import { startOwnPostgres } from '#test/support/instances.ts'
import { type Program, startProgram } from '#test/support/program.ts'

describe('npm start with a database and a chain of your own', () => {
  let folder: string
  let database: PostgresServer
  let chain: AnvilNode
  let program: Program | undefined
  let endpoints: Endpoints

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weft-configured-'))
    database = await startOwnPostgres(folder)
    chain = await startAnvil({ port: await anyFreePort(), chainId: 1337 })
  })
  afterAll(async () => {
    await program?.stop()
    await chain.stop()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const own = () => ({
    EXAMPLE_NETWORK: 'false',
    DATABASE_URL: database.url(),
    CHAIN_RPC_URL: chain.url,
  })

  it('starts neither of them, and deploys on a development chain', async () => {
    program = startProgram(join(folder, 'data'), own())
    endpoints = await program.ready()
    expect(endpoints).toMatchObject({ chainRpc: chain.url, chainId: 1337 })
    expect(program.output()).not.toContain('Starting PostgreSQL')
    expect(program.output()).not.toContain('Starting the development chain')
    const accounts = await fetch(`${endpoints.chainApi}/accounts?limit=1`)
    expect(await accounts.json()).toMatchObject({ total_accounts: 0 })
  })

  it('uses the configured contracts, and says what its operator says', async () => {
    await program?.stop()
    const { registry, runner } = endpoints
    program = startProgram(join(folder, 'other'), {
      ...own(),
      REGISTRY_ADDRESS: registry,
      RUNNER_ADDRESS: runner,
      SITE_NAME: 'Loom & <Co>',
      SITE_SENTENCE: 'A place for loops.',
      SITE_IMPRINT: 'https://weft.example/imprint',
      SITE_CONTACT: 'mailto:us@weft.example',
      ASSISTANT_ENDPOINTS: '',
    })
    const started = await program.ready()
    expect(started).toMatchObject({ registry, runner })
    const page = await (await fetch(started.site, { headers: { accept: 'text/html' } })).text()
    expect(page).toContain('<title>Loom &amp; &lt;Co&gt;: music')
    expect(page).toMatch(/<h1[^>]*>A place for loops\.<\/h1>/)
    expect(page).toContain('href="https://weft.example/imprint"')
    expect(page).toContain('href="mailto:us@weft.example"')
    expect(page).not.toContain('Privacy')
    const studio = await fetch(`${started.site}/studio`, { headers: { accept: 'text/html' } })
    expect(studio.headers.get('content-security-policy')).not.toContain('api.anthropic.com')
    expect(await studio.text()).not.toContain('api.anthropic.com')
    const feed = await (await fetch(`${started.site}/feed.xml`)).text()
    expect(feed).toContain('<title>Loom &amp; &lt;Co&gt;</title>')
    await program.stop()
  })

  it('reports that there is no contract at the address', async () => {
    program = startProgram(join(folder, 'other'), {
      ...own(),
      REGISTRY_ADDRESS: `0x${'1'.repeat(40)}`,
      RUNNER_ADDRESS: endpoints.runner,
    })
    expect((await program.ended()).code).toBe(1)
    expect(program.output()).toContain('there is no contract at that address on chain 1337')
  })

  it('refuses a chain with another id than the configured one', async () => {
    program = startProgram(join(folder, 'other'), { ...own(), CHAIN_ID: '1' })
    expect((await program.ended()).code).toBe(1)
    expect(program.output()).toContain('CHAIN_ID is 1, but the chain at')
  })
})
