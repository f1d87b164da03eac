import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPieces } from '#lib/core/entities/author-words.ts'
import { apiHandlers } from '#lib/server/operations/api-handlers.ts'
import { buildClientPackage, buildCommandPackage } from '#scripts/client-package/pack.ts'
import { pack } from '#scripts/npm-package/pack.ts'
import { devAccount } from '#test/support/chain.ts'
import { runCommand, samplesOf } from '#test/support/doc-samples.ts'
import { listen } from '#test/support/listen.ts'
import { startTestStack, type TestStack } from '#test/support/stack.ts'

/* The packed command line and client, installed in an empty folder, against both APIs, a worker and a chain. */

const owner = devAccount(6)
const folder = mkdtempSync(join(tmpdir(), 'weft-command-'))
let stack: TestStack
let site: string
const server = createServer()

beforeAll(async () => {
  stack = await startTestStack()
  const handlers = apiHandlers(async () => stack.services)
  server.on('request', (request, response) => handlers(request.url ?? '')?.(request, response))
  site = `http://127.0.0.1:${await listen(server)}`
  Object.assign(stack.services.config, { allowedOrigins: [site] })
  const tarballs = [await pack(buildCommandPackage, folder), await pack(buildClientPackage, folder)]
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  await promisify(execFile)('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], {
    cwd: folder,
  })

  const token = await stack.token(owner.address)
  const draft = async (kind: string, body: object) => {
    const { status } = await stack.send('POST', `/${kind}`, { token, json: body })
    expect(status).toBe(201)
  }
  await draft('transformation', { name: 'climb', sol_src: 'return x + args[0];' })
  await draft('condition', { name: 'always', sol_src: 'return true;' })
  await draft('connector', {
    name: 'stairs',
    dimensions: [{ transformations: [{ name: 'climb', args: [7] }] }],
    condition_name: 'always',
  })
  await draft('connector', {
    name: 'pitch',
    dimensions: [{ transformations: [{ name: 'climb', args: [2] }] }],
  })
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await stack?.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Ended {
  readonly code: number
  readonly out: string
  readonly said: string
}

function weft(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const program = join(folder, 'node_modules/.bin/weft')
  return new Promise((resolve) => {
    const given = { ...process.env, PRIVATE_KEY: '', WEFT: site, ...env }
    execFile(program, args, { cwd: folder, env: given }, (error, out, said) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, said }),
    )
  })
}

const PARTICLES = '/stairs:0 0 7 14 21\n'

describe('weft', () => {
  test('simulates, publishes with what is needed, runs, exports, follows, certifies and verifies', async () => {
    expect(await weft(['simulate', 'stairs', '-n', '4'])).toEqual({ code: 0, out: PARTICLES, said: '' })
    const started = await weft(['simulate', 'stairs', '-n', '3', '--start', '1=100', '--json'])
    expect(JSON.parse(started.out)).toEqual([{ path: '/stairs:0', data: [100, 107, 114] }])

    writeFileSync(join(folder, 'key'), `${toHex(owner.getHdKey().privateKey as Uint8Array)}\n`)
    const present = {
      particles: 64,
      tempo: 480,
      loop: true,
      knobs: [{ name: 'by', at: 'call/0/0/0', min: 1, max: 9 }],
    }
    writeFileSync(join(folder, 'stairs.json'), JSON.stringify(present))
    const piece = ['--title', 'Stairs, “up”', '--present', 'stairs.json']
    const published = await weft(['publish', 'stairs', '--key-file', 'key', ...piece])
    expect(published.said).toBe('')
    expect(published.out).toMatch(
      /^(transformation climb|condition always) 0x\w{40}, block \d+\n.*\nconnector stairs 0x\w{40}, block \d+\n$/,
    )
    const again = await weft(['publish', 'stairs', '--key-file', 'key', '--json'])
    expect(JSON.parse(again.out)).toMatchObject([{ kind: 'connector', name: 'stairs' }])
    await stack.projected()
    const pieces = await findPieces(stack.services, ['stairs'])
    expect(pieces.get('stairs')).toEqual({ title: 'Stairs, “up”', present })

    const run = await weft(['run', 'stairs', '-n', '4'])
    expect(run.out).toMatch(new RegExp(`^${PARTICLES}block \\d+ 0x\\w{64}, runner 0x\\w{40}\\n$`))

    const followed = await weft(['follow', '--limit', '1', '--kind', 'connector', '--json'])
    expect(JSON.parse(followed.out)).toMatchObject({ payload: { type: 'connector', name: 'stairs' } })

    const files = { csv: /^step,\/stairs:0\r\n0,0\r\n1,7\r\n/, json: /"path":"\/stairs:0"/, midi: /^MThd/ }
    for (const [as, begins] of Object.entries(files)) {
      const { code, said } = await weft(['export', 'stairs', '--as', as, '-o', `stairs.${as}`, '--chain'])
      expect([code, said]).toEqual([0, ''])
      expect(readFileSync(join(folder, `stairs.${as}`), 'latin1')).toMatch(begins)
    }
    // In the tempo that it was published with: a beat of 500,000 microseconds.
    expect(readFileSync(join(folder, 'stairs.midi')).toString('hex')).toContain('ff510307a120')

    const certified = await weft(['certify', 'stairs', '--node', stack.chain.url])
    expect(certified).toMatchObject({ code: 0, out: expect.stringMatching(/^stairs\.weft\.json: Proven: /) })
    const verified = async (...args: string[]) => {
      const { code, out } = await weft(['verify', 'stairs.weft.json', '--json', ...args])
      return { ...(JSON.parse(out) as { verdict: string; block: { hash: string } }), code }
    }
    const alone = await verified()
    expect(alone).toMatchObject({ code: 4, verdict: 'consistent' })
    expect(await verified('--block', alone.block.hash)).toMatchObject({ code: 0, verdict: 'proven' })
    expect(await verified('--node', stack.chain.url)).toMatchObject({ code: 0, verdict: 'proven' })
    const several = await weft([
      'verify',
      'none.weft.json',
      '.',
      'stairs.weft.json',
      '--node',
      stack.chain.url,
    ])
    expect(several).toMatchObject({ code: 1, out: expect.stringContaining('\nstairs.weft.json: Proven: ') })
    const text = readFileSync(join(folder, 'stairs.weft.json'), 'utf8')
    writeFileSync(join(folder, 'wrong.weft.json'), text.replace(/"count": ?16/, '"count":15'))
    expect(await weft(['verify', 'wrong.weft.json', '--json'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('"verdict":"refuted"'),
    })
  })

  test('certifies by the nodes that answer, and names one that is dead', async () => {
    const dead = 'http://127.0.0.1:9/v2/secret-of-the-plan'
    const both = await weft([
      'certify',
      'stairs',
      '--node',
      dead,
      '--node',
      stack.chain.url,
      '-o',
      'one.json',
    ])
    // It is written, and checked by both: the dead one cannot confirm it.
    expect(both.out + both.said).toBe('one.json: The node "127.0.0.1:9" does not answer.\n')
    expect(JSON.parse(readFileSync(join(folder, 'one.json'), 'utf8'))).toHaveProperty('sources')
    const none = await weft(['certify', 'stairs', '--node', dead])
    expect(none).toMatchObject({ code: 1, said: 'weft: the node 127.0.0.1:9 does not answer\n' })
  })

  test.each<[number, string, string[], Record<string, string>?]>([
    [2, 'weft simulate <connector>', []],
    [2, 'There is no command "__proto__"', ['__proto__']],
    [2, 'Name one connector', ['simulate']],
    [2, '--count must be a whole number up to 65536', ['simulate', 'stairs', '-n', '1e3']],
    [2, '--start must be position=start', ['simulate', 'stairs', '--start', '1:2']],
    [2, '--site (or WEFT) must be an address', ['simulate', 'stairs', '--site', 'file:///etc']],
    [2, '--as must be csv, json, midi', ['export', 'stairs']],
    [2, 'set PRIVATE_KEY', ['publish', 'stairs'], { PRIVATE_KEY: '0x12' }],
    [2, 'The title is not one line', ['publish', 'stairs', '--title', 'two\nlines']],
    [
      2,
      'breaks a rule of its format at present.particles',
      ['publish', 'stairs', '--present', 'package.json'],
    ],
    [2, 'are for connectors', ['publish', 'climb', '--kind', 'transformation', '--title', 'Climb']],
    [2, 'cannot be read', ['publish', 'stairs', '--present', 'nowhere.json']],
    [2, '--max-cost must be an amount', ['publish', 'stairs', '--max-cost', 'much']],
    [1, 'cannot be read', ['verify', 'none.weft.json']],
    [1, 'Connector not found (status 404)', ['simulate', 'nobody']],
    [1, 'owner', ['follow', '--owner', 'me']],
    [2, 'names position 1 more than once', ['simulate', 'stairs', '--start', '1=2', '--start', '1=2:3']],
    [2, 'has positions 0 to 1', ['simulate', 'stairs', '--start', '2=5']],
    [2, 'has positions 0 to 1', ['run', 'stairs', '--start', '0=1', '--start', '9=5']],
    [2, 'has positions 0 to 1', ['export', 'stairs', '--as', 'csv', '-o', 'no.csv', '--start', '2=5']],
    [2, 'has positions 0 to 1', ['certify', 'stairs', '--node', 'http://127.0.0.1:9', '--start', '2=5']],
    [3, 'does not answer', ['simulate', 'stairs', '--site', 'http://127.0.0.1:9']],
    [3, 'does not answer', ['follow', '--site', 'http://127.0.0.1:9']],
  ])('exits with %i and says: %s', async (code, sentence, args, env) => {
    const ended = await weft(args, env)
    expect([ended.code, ended.out + ended.said]).toEqual([code, expect.stringContaining(sentence)])
  })

  test.each([
    [
      'a page',
      404,
      'text/html',
      `<html>${'x'.repeat(20_000)}</html>`,
      2,
      'is not the address of a Weft site',
    ],
    ['a node', 200, 'application/json', '{"error":{"code":-32600}}', 2, 'is not the address of a Weft site'],
    ['a proxy', 502, 'text/html', '<h1>Bad gateway</h1>', 3, 'does not answer (something answers 502'],
  ])('says in one sentence that %s answers', async (_, status, type, body, code, sentence) => {
    let asked = 0
    const other = createServer((_request, response) => {
      asked++
      response.writeHead(status, { 'content-type': type }).end(body)
    })
    const address = `http://127.0.0.1:${await listen(other)}`
    for (const command of [['simulate', 'stairs'], ['run', 'stairs'], ['follow']]) {
      const ended = await weft([...command, '--site', address])
      expect(ended).toMatchObject({ code, out: '', said: expect.stringContaining(sentence) })
      expect(ended.said.length).toBeLessThan(400)
    }
    // Only what may pass is asked again.
    if (code === 2) expect(asked).toBe(3)
    other.close()
  })

  test('signs nothing beyond the cost that was allowed', async () => {
    await stack.send('POST', '/transformation', {
      token: await stack.token(owner.address),
      json: { name: 'dear', sol_src: 'return x + 1;' },
    })
    const ended = await weft([
      'publish',
      'dear',
      '--kind',
      'transformation',
      '--key-file',
      'key',
      '--max-cost',
      '0',
    ])
    expect(ended).toMatchObject({ code: 1, said: expect.stringContaining('nothing was sent') })
    expect((await stack.send('GET', '/transformation/dear')).json).toMatchObject({ address: '0x0' })
  })
})

const hasPython = spawnSync('python3', ['--version']).status === 0

test.each([
  ['console', ['npx', '--offline', 'weft', 'simulate', 'pitch', '-n', '12']],
  ['ts', [process.execPath, 'first.mts']],
  ['python', ['python3', 'first.py']],
])(
  'the first program of the documentation, in %s, prints a line for each path',
  async (language, [program, ...args]) => {
    if (language === 'python' && !hasPython) return
    const samples = samplesOf('docs/site/using-the-apis.md').filter((sample) => sample.language === language)
    expect(samples).toHaveLength(1)
    const code = samples[0]?.code ?? ''
    if (language === 'console')
      expect(code.trim()).toBe(
        'npx --package=http://localhost:3000/downloads/weft-cli.tgz weft simulate pitch -n 12',
      )
    if (language === 'ts') writeFileSync(join(folder, 'first.mts'), code)
    if (language === 'python') {
      writeFileSync(join(folder, 'first.py'), code)
      copyFileSync('examples/python/weft_client.py', join(folder, 'weft_client.py'))
    }
    const { output } = await runCommand(program ?? '', args, { WEFT: site }, folder)
    expect(output.split('\n')).toContain('/pitch:0 0 2 4 6 8 10 12 14 16 18 20 22')
  },
)

test('the program of the documentation manages webhooks and publishes batches, whoever pays', async () => {
  const [sample] = samplesOf('docs/site/programs.md').filter(({ language }) => language === 'ts')
  symlinkSync(resolve('node_modules/viem'), join(folder, 'node_modules/viem'))
  const sponsor = generatePrivateKey()
  const funds = (address: string) => stack.chain.rpc('anvil_setBalance', [address, toHex(10n ** 20n)])
  for (const payer of ['account', 'site']) {
    const key = generatePrivateKey()
    const { address } = privateKeyToAccount(key)
    if (payer === 'account') await funds(address)
    else {
      const most = 10n ** 19n
      const budgets = { key: sponsor, perDay: most, perAccount: most, perClient: most }
      Object.assign(stack.services.config, { sponsor: budgets })
      await funds(privateKeyToAccount(sponsor).address)
    }
    const token = await stack.token(address)
    const [climb, ladder] = [`climb_${payer}`, `ladder_${payer}`]
    const bodies = [
      ['transformation', { name: climb, sol_src: `return x * 3 + ${payer.length};` }],
      ['connector', { name: ladder, dimensions: [{ transformations: [{ name: climb }] }] }],
    ] as const
    for (const [kind, body] of bodies)
      expect((await stack.send('POST', `/${kind}`, { token, json: body })).status).toBe(201)
    const code = sample?.code.replaceAll("'climb_by'", `'${climb}'`).replaceAll("'ladder'", `'${ladder}'`)
    writeFileSync(join(folder, 'programs.mts'), code ?? '')
    const env = { WEFT: site, PRIVATE_KEY: key, CHAIN_RPC: stack.chain.url }
    const { output } = await runCommand(process.execPath, ['programs.mts'], env, folder)
    expect(output).toMatch(new RegExp(`^webhook \\S+ active whsec_…\npaid by the ${payer} 0x[0-9a-f]{64}\n$`))
    await stack.projected()
    expect((await stack.send('GET', `/connector/${ladder}`)).json).toMatchObject({
      address: expect.stringMatching(/^0x[0-9a-f]{40}$/),
    })
  }
})
