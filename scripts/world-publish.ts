/** Publishes the World of a folder, or its next version: `npm run world:publish -- my-world`. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isHex, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { runCommand } from './stack/command.ts'
import { devAccount } from './stack/contracts.ts'
import { servicesClient } from './world-kit/services-client.ts'
import { folderManifest } from './world-kit/world-folder.ts'

const USAGE = `Usage: npm run world:publish -- <folder>
  PRIVATE_KEY   the account that will own it; the first development account unless set, on a development chain only
  SITE          where to; the network that \`npm start\` runs here unless set, for instance https://weft.example
  CHAIN_ID      of that site's chain, for the sign-in message; 31337 unless set`

await runCommand(() => main(process.argv[2]))

async function main(folder: string | undefined): Promise<void> {
  if (folder === undefined || !existsSync(folder)) throw new Error(USAGE)
  const { slug, version } = folderManifest(folder)
  const site = process.env.SITE ?? runningSite()
  const account = readAccount()
  const client = servicesClient(account, {
    api: `${site}/services`,
    siteOrigin: site,
    chainId: Number(process.env.CHAIN_ID ?? 31_337),
  })
  const published = await client.find(slug)
  if (published && published.ownerId !== account.address) {
    throw new Error(`The slug ${slug} belongs to a World of ${published.ownerId}: choose another.`)
  }
  await client.publish(folder, published)
  console.log(`${slug} ${version} is at ${site}/worlds/${slug}`)
}

function runningSite(): string {
  const file = join(process.env.WEFT_DATA_DIR ?? '.weft', 'endpoints.json')
  if (!existsSync(file)) throw new Error(`Nothing runs here: \`npm start\` first, or say where to.\n${USAGE}`)
  return (JSON.parse(readFileSync(file, 'utf8')) as { site: string }).site
}

function readAccount(): LocalAccount {
  const key = process.env.PRIVATE_KEY
  if (key === undefined) {
    if (process.env.SITE !== undefined) throw new Error(`PRIVATE_KEY is missing.\n${USAGE}`)
    return devAccount(0)
  }
  if (!isHex(key) || key.length !== 66) throw new Error('PRIVATE_KEY must be 0x and 64 hexadecimal digits.')
  return privateKeyToAccount(key)
}
