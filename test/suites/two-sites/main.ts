/**
 * Starts two sites over one chain, each a program with a database of its own, the second without any World, and carries
 * Worlds from one to the other by their hashes: `npm run test:two-sites`.
 *
 * Prints a row for each World: the account that imported it, the content ids of the file of its piece at both sites, and
 * whether bundle and file have the same bytes; then stops the first site and reads the files of the second again. Exits
 * with 1 when anything differs.
 */
import { createHash } from 'node:crypto'
import type { LocalAccount } from 'viem'
import { createServicesClient, signInToServices } from '#lib/client/index.ts'
import { killChildren } from '#scripts/stack/child.ts'
import { devAccount } from '#scripts/stack/contracts.ts'
import { buildSite } from '#scripts/stack/site-build.ts'
import type { Endpoints } from '#scripts/stack/stack.ts'
import { startOwnProgram } from '#test/support/program.ts'
import { until } from '#test/support/until.ts'

/** Pieces of the example network, whose author has the first account of the development chain. */
const PIECES = ['prelude', 'sunflower', 'ten_print'] as const

process.on('exit', killChildren)
await buildSite((line) => console.log(line))
const author = devAccount(0)
const admin = devAccount(2)
const first = await startOwnProgram()
const second = await startOwnProgram({
  CHAIN_RPC_URL: first.endpoints.chainRpc,
  EXAMPLE_NETWORK: 'false',
  WEBHOOKS_ALLOW_LOOPBACK: 'true',
  ADMIN_ADDRESSES: admin.address,
})
let differing = 0
try {
  await compare(first.endpoints, second.endpoints)
} finally {
  await second.close()
  await first.close().catch(() => undefined)
}
process.exit(differing > 0 ? 1 : 0)

async function compare(one: Endpoints, two: Endpoints): Promise<void> {
  const kept = new Map<string, string>()
  for (const [index, name] of PIECES.entries()) {
    const hash = await bundleOf(one, name)
    await until(`${name} is known at both sites`, async () => (await fileOf(two, name)).status === 200)
    const before = await fileOf(two, name)
    // An administrator imports one World; its author all others.
    const [role, account] = index === 0 ? (['administrator', admin] as const) : (['author', author] as const)
    const imported = await importBundle(two, account, hash, one.site)
    const [here, there] = [await fileOf(one, name), await fileOf(two, name)]
    const bundles = await Promise.all(
      [one, two].map((each) => read(`${each.servicesApi}/world-bundles/${hash}`)),
    )
    const same = here.hash === there.hash && bundles[0]?.hash === bundles[1]?.hash
    if (!same || here.status !== 200 || before.hash === here.hash) differing += 1
    kept.set(name, there.hash)
    console.log(
      `${name} (${imported}, by its ${role}): file ${here.id} and ${there.id}, ${here.size} bytes; before the import ${before.id}; bundle ${bundles[1]?.size} bytes: ${same ? 'the same' : 'DIFFERENT'}`,
    )
  }
  const stranger = await importStatus(
    two,
    devAccount(3),
    await bundleOf(one, PIECES[1]),
    'http://192.168.0.1',
  )
  console.log(`a World that is here already, asked for at an address that is not public: ${stranger}`)
  if (stranger !== 200) differing += 1
  const missing = await importStatus(two, devAccount(3), 'ab'.repeat(32), 'http://192.168.0.1')
  console.log(`a World that is not here, asked for at an address that is not public: ${missing}`)
  if (missing !== 400) differing += 1
  await first.program.stop()
  for (const [name, hash] of kept) {
    const alone = await fileOf(two, name)
    if (alone.hash !== hash) differing += 1
    console.log(
      `${name}, with the first site and its chain gone: ${alone.hash === hash ? 'the same' : 'DIFFERENT'}`,
    )
  }
}

/** The hash of the bundle that a piece names. */
async function bundleOf({ servicesApi }: Endpoints, name: string): Promise<string> {
  const answer = await fetch(`${servicesApi}/pieces/${name}/presentation`)
  const { present } = (await answer.json()) as { present: { world: { bundle_hash: string } } }
  return present.world.bundle_hash
}

function fileOf({ site }: Endpoints, name: string) {
  return read(`${site}/connectors/${name}/piece.html`)
}

async function read(url: string) {
  const answer = await fetch(url)
  const bytes = Buffer.from(await answer.arrayBuffer())
  return {
    status: answer.status,
    id: answer.headers.get('etag')?.replaceAll('"', '') ?? '',
    size: bytes.byteLength,
    hash: createHash('sha256').update(bytes).digest('hex'),
  }
}

async function importBundle(
  at: Endpoints,
  account: LocalAccount,
  hash: string,
  from: string,
): Promise<string> {
  const answer = await sendImport(at, account, hash, from)
  if (!answer.ok) throw new Error(`The import answered ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { slug: string }).slug
}

async function importStatus(
  at: Endpoints,
  account: LocalAccount,
  hash: string,
  from: string,
): Promise<number> {
  return (await sendImport(at, account, hash, from)).status
}

async function sendImport(
  { servicesApi, site, chainId }: Endpoints,
  account: LocalAccount,
  hash: string,
  from: string,
): Promise<Response> {
  const session = await signInToServices(createServicesClient(servicesApi), account, {
    origin: site,
    chainId,
  })
  return fetch(`${servicesApi}/world-imports`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${session}`, origin: site },
    body: JSON.stringify({ bundle_hash: hash, from }),
  })
}
