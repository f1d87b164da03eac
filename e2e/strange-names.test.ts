import { createPublicClient, createWalletClient, http } from 'viem'
import { beforeAll, expect, inject, test } from 'vitest'
import { encodePublish, NO_METADATA } from '#lib/chain/publication-calldata.ts'
import type { BuiltArtifact } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { Address, EntityKind, Hex } from '#lib/protocol/entity.ts'
import { encodePayload } from '#lib/protocol/payload.ts'
import { devAccount } from '#scripts/stack/contracts.ts'
import { devChain } from '#scripts/stack/dev-chain.ts'
import { define } from '#test/support/definitions.ts'
import { expectNoLooseLinks, sitePages } from '#test/support/site-pages.ts'
import { until } from '#test/support/until.ts'

/* Entities that creation refuses and the registry accepts, published past the server: every page shows them. */

const { site, chainRpc, registry } = inject('endpoints')
const { open } = sitePages(site)

const NAMES = ['uint8', 'constructor', 'hasOwnProperty', 'toString', '__proto__']
const account = devAccount(7)
const owner = account.address.toLowerCase() as Address
const published = new Map<string, BuiltArtifact>()

/** Always returns 1: `PUSH1 1 PUSH0 MSTORE PUSH1 32 PUSH0 RETURN`. */
const RUNTIME: Hex = '0x60015f5260205ff3'

beforeAll(async () => {
  const transport = http(chainRpc)
  const wallet = createWalletClient({ account, chain: devChain, transport })
  const reader = createPublicClient({ chain: devChain, transport, pollingInterval: 50 })
  let nonce = 0n
  const publish = async (artifact: BuiltArtifact) => {
    const { kind, name, contentHash } = artifact
    const terms = {
      kind,
      name,
      owner,
      contentHash,
      metadata: NO_METADATA,
      nonce: nonce++,
      deadline: 2n ** 40n,
    }
    const data = encodePublish({ ...terms, payload: encodePayload(artifact) })
    const hash = await wallet.sendTransaction({ to: registry, data })
    expect((await reader.waitForTransactionReceipt({ hash })).status).toBe('success')
    published.set(`${kind}/${name}`, artifact)
  }
  const code = (kind: 'transformation' | 'condition', name: string, argsCount: number) =>
    publish({
      kind,
      name,
      argsCount,
      runtime: RUNTIME,
      contentHash: codeContentHash(kind, name, argsCount, RUNTIME),
    })
  const lookup = (kind: EntityKind, name: string) => published.get(`${kind}/${name}`)
  for (const name of NAMES) {
    await code('transformation', name, 0)
    await code('condition', name, 0)
    const dimensions = [{ transformations: [{ name }] }]
    await publish(buildConnector(define({ name, dimensions, condition_name: name }), lookup))
  }
  await code('transformation', 'takes_most', 4_294_967_295)
  await code('transformation', 'takes_257', 257)
  const args = Array.from({ length: 257 }, (_, i) => i)
  const dimensions = [{ transformations: [{ name: 'takes_257', args }] }]
  await publish(buildConnector(define({ name: 'gives_257', dimensions }), lookup))
  await until('the worker projects them', async () => (await fetch(`${site}/chain/connector/gives_257`)).ok)
})

test('all pages that show them are there', async () => {
  const { format_hash: format } = (await (await fetch(`${site}/chain/connector/uint8`)).json()) as Record<
    string,
    string
  >
  const paths = [
    ...['/', '/feed', '/feed.xml', '/discover', '/sitemap.xml', `/users/${owner}`, `/formats/${format}`],
    ...NAMES.flatMap((name) => [
      ...['transformations', 'conditions', 'connectors'].map((kind) => `/${kind}/${name}`),
      ...[`/run/${name}?count=8`, `/run/${name}/image?count=8`, `/search?q=${name}`],
    ]),
    ...[
      '/transformations/takes_most',
      '/transformations/takes_257',
      '/connectors/gives_257',
      '/run/gives_257',
    ],
  ]
  for (const path of paths) {
    const answer = await fetch(site + path)
    expect(`${answer.status} ${path}`).toBe(`200 ${path}`)
  }
})

test('a reader follows links from one to the other', async () => {
  const page = await open('/connectors/constructor')
  await expect.poll(() => page.locator('h1').textContent()).toBe('constructor')
  await expectNoLooseLinks(page)
  await page.goto(`${site}/users/${owner}`)
  await page.getByRole('link', { name: 'uint8' }).first().click()
  await page.waitForURL(/\/(?:connectors|transformations|conditions)\/uint8$/)
  await page.goto(`${site}/search?q=hasOwnProperty`)
  expect(
    await page.locator('main').getByRole('link', { name: 'hasOwnProperty' }).count(),
  ).toBeGreaterThanOrEqual(3)
})

test('the studio opens them', async () => {
  for (const [name, kind] of [
    ['uint8', 'connector'],
    ['constructor', 'transformation'],
    ['takes_most', 'transformation'],
  ]) {
    const page = await open(`/studio?open=${kind}/${name}`)
    await page
      .getByText(name as string, { exact: true })
      .filter({ visible: true })
      .first()
      .waitFor()
  }
})

test('the studio chooses among them', async () => {
  const page = await open('/studio')
  await page.getByRole('button', { name: 'New piece' }).first().click()
  await page.getByRole('row', { name: /^Voice 1/ }).focus()
  await page.keyboard.press('a')
  await page.getByRole('listbox', { name: 'Functions' }).waitFor()
  await page.keyboard.type('takes_most')
  await page.getByRole('option', { name: /^takes_most\(a0, a1, …, a4294967294\)/ }).click()
  await page.getByText('takes_most takes 4,294,967,295 numbers; 64 are given.').first().waitFor()
})
