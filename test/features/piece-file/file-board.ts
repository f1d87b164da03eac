import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright'
import { hexToBytes } from 'viem/utils'
import { mediaType } from '#lib/compute/bundle/mime.ts'
import { PROTOCOL_VERSION } from '#lib/core/worlds/sdk/protocol.ts'
import type { PieceData, WorldData } from '#lib/features/piece-file/data.ts'
import { writePieceFile } from '#lib/features/piece-file/write-file.ts'
import type { BuiltConnector } from '#lib/protocol/artifact.ts'
import { encodeConnectorCode } from '#lib/protocol/connector-code.ts'
import { type Address, type Hash, KIND_CODE } from '#lib/protocol/entity.ts'
import { entityAddress } from '#lib/protocol/entity-address.ts'
import { act, escapes, factsOf, type Outcome, pageOf } from '#test/core/worlds/escape/board.ts'
import type { Channel } from '#test/core/worlds/escape/channel.ts'
import { openTrap, type Trap } from '#test/core/worlds/escape/trap.ts'
import { EXTRA_FILES } from '#test/core/worlds/escape/webrtc.ts'
import { Shelf } from '#test/support/definitions.ts'

/** Time for a World to try, once its page has run. */
const ATTEMPT_MS = 1500
const RUN_TIMEOUT_MS = 60_000
const FILES_AT_ONCE = 3

/**
 * Channels by which Chromium connects without sending a byte: it connects as soon as a frame is led to an address, and asks
 * the policy later. On a site `Connection-Allowlist` prevents it, which no file can have; see "A file on a disk" in
 * `docs/worlds-security.md`.
 */
export const EARLY_CONNECTIONS: readonly string[] = [
  'frame',
  'srcdoc frame with a refresh',
  'frameset',
  'self navigation',
  'self navigation by a link',
  'navigation API',
  'refresh by script',
  'link outside of the page during ctrl-click',
  'link outside of the page during middle-click',
  'download',
  'download with its permission',
  'download by script',
]

/** Statement by which a World tells the page of its file that it is ready. */
const PROOF = `parent.postMessage({
  type: 'dcn:world-ready', worldId: 'board', protocolVersion: ${PROTOCOL_VERSION},
  channelToken: new URLSearchParams(location.hash.slice(2)).get('worldChannel'),
}, '*')`

const ADDRESS: Address = `0x${'a1'.repeat(20)}`
const PIECE = pieceOf(new Shelf().connector({ name: 'still', dimensions: [{}] }))

/** Data of a piece without a transformation, as if it were published. */
function pieceOf({ definition, leafCount, depth, contentHash }: BuiltConnector): PieceData {
  const code = encodeConnectorCode(definition, () => ADDRESS, leafCount, depth)
  const hash: Hash = `0x${'00'.repeat(32)}`
  const address = entityAddress(ADDRESS, KIND_CODE.connector, definition.name, hexToBytes(code))
  return {
    ...({ format: 'weft-piece', version: 1 } as const),
    ...{ chain: { id: 1 }, registry: ADDRESS, runner: ADDRESS },
    publication: {
      ...{ author: ADDRESS, address, contentHash, metadataHash: hash },
      ...{ block: 1, blockHash: hash, transaction: hash },
    },
    words: '',
    entities: [['connector', definition.name, code]],
    count: 8,
    answer: { outcome: 'unknown' },
  }
}

/**
 * Has a World in a file on a disk try each channel and returns what reached the trap of that channel.
 *
 * @param folder Where the files are written.
 */
export async function runFileBoard(
  browser: Browser,
  folder: string,
  channels: readonly Channel[],
): Promise<readonly Outcome[]> {
  const waiting = channels.map((channel, index) => ({ channel, index }))
  const outcomes: Outcome[] = []
  const work = async (context: BrowserContext) => {
    const page = await context.newPage()
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { channel, index } = next
      const trap = await openTrap()
      const path = join(folder, `board-${index}.html`)
      writeFileSync(path, writePieceFile(PIECE, worldOf(channel, trap)))
      const ran = await tryChannel(page, path, channel)
      outcomes[index] = { channel, caught: [...trap.caught], ran }
      await trap.close()
    }
  }
  const contexts = await Promise.all(Array.from({ length: FILES_AT_ONCE }, () => browser.newContext()))
  await Promise.all(contexts.map(work))
  await Promise.all(contexts.map((context) => context.close()))
  return outcomes
}

/** Channels that reached their traps by connections alone. */
export function earlyConnections(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.filter(isMute).map(({ channel }) => channel.name)
}

/** Escapes from a file, other than known connections without a byte. */
export function fileEscapes(outcomes: readonly Outcome[]): ReturnType<typeof escapes> {
  const early = new Set(EARLY_CONNECTIONS)
  return escapes(outcomes.filter((each) => !(early.has(each.channel.name) && isMute(each))))
}

function isMute({ caught }: Outcome): boolean {
  return caught.length > 0 && caught.every((each) => each === 'tcp')
}

/** Opens a file and waits while its World tries; returns whether the World ran. */
async function tryChannel(page: Page, path: string, { gesture }: Channel): Promise<boolean> {
  await page.goto(pathToFileURL(path).href, { waitUntil: 'commit', timeout: RUN_TIMEOUT_MS })
  const ran = await page
    .locator('iframe[data-ready]')
    .waitFor({ timeout: RUN_TIMEOUT_MS })
    .then(() => true)
    .catch(() => false)
  if (gesture) await act(page.frameLocator('iframe').locator('#act'), gesture)
  await sleep(ATTEMPT_MS)
  return ran
}

function worldOf(channel: Channel, trap: Trap): WorldData {
  const { ip, port } = factsOf(trap)
  // Files of a World in a file have no query.
  const extra = Object.entries(EXTRA_FILES).map(([path, text]) => [
    path,
    text
      .replaceAll("query.get('ip')", JSON.stringify(ip))
      .replaceAll("query.get('port')", JSON.stringify(port))
      .replaceAll("import.meta.url.includes('?')", 'true'),
  ])
  const files = [['index.html', pageOf(channel, trap, PROOF)], ...extra] as [string, string][]
  return {
    name: channel.name,
    bundleHash: '0'.repeat(64),
    entry: 'index.html',
    permissions: channel.downloads ? ['browser.downloads'] : [],
    acceptedConnectorSets: [],
    acceptedFormatHashes: [],
    runtime: '',
    files: files.map(([path, text]) => ({ path, type: mediaType(path) as string, text })),
  }
}
