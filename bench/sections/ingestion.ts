import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import postgres from 'postgres'
import { encodeFunctionData } from 'viem'
import { connectChain } from '#lib/chain/access.ts'
import { startIndexer } from '#lib/core/indexer/indexer.ts'
import { readConfig } from '#lib/features/config.ts'
import { migrate } from '#lib/platform/db/migrate.ts'
import { registryAbi } from '#lib/protocol/abi.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import { encodePayload } from '#lib/protocol/payload.ts'
import { rpc } from '#scripts/stack/anvil.ts'
import { devAccount } from '#scripts/stack/contracts.ts'
import { startChain } from '../network/chain.ts'
import type { BenchPostgres } from '../network/postgres.ts'
import { figure } from '../support/format.ts'
import { median } from '../support/measure.ts'
import type { Options, Report } from '../support/report.ts'

const EVENTS = 2_000
const BATCH = 100

/**
 * Publications a second that a worker catches up with, from an empty database to the last block: logs, calldata, code,
 * checks and every table. Against the least one could do: fetch the same logs and insert a row each.
 */
export async function ingestion(report: Report, database: BenchPostgres, { rounds }: Options): Promise<void> {
  report.heading('Feed ingestion')
  const chain = await startChain()
  try {
    await publishMany(chain.url, chain.registry)
    const head = Number(await rpc(chain.url, 'eth_blockNumber'))
    const worker: number[] = []
    const least: number[] = []
    for (let round = 0; round < Math.min(rounds, 3); round++) {
      const url = await database.newDatabase(`ingestion_${round}`)
      await migrate(url)
      least.push(await fetchAndInsert(url, chain.url, chain.registry))
      worker.push(await follow(url, chain, head))
    }
    const speed = (seconds: number[]) => EVENTS / median(seconds)
    report.line(
      `${figure(EVENTS)} publications: ${figure(speed(worker))} events/s by the worker, ` +
        `${figure(speed(least))} events/s by eth_getLogs and an insert alone (${figure(speed(worker) / speed(least))}x).`,
    )
  } finally {
    await chain.close()
  }
}

async function follow(
  databaseUrl: string,
  chain: { url: string; registry: string; runner: string; deploymentBlock: number },
  head: number,
): Promise<number> {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    CHAIN_TOKEN_KEY: 'ab'.repeat(32),
    SESSION_KEY: 'cd'.repeat(32),
    LOG_LEVEL: 'error',
    CHAIN_RPC_URL: chain.url,
    CHAIN_ID: '31337',
    REGISTRY_ADDRESS: chain.registry,
    RUNNER_ADDRESS: chain.runner,
    DEPLOYMENT_BLOCK: String(chain.deploymentBlock),
  })
  const ending = new AbortController()
  const began = performance.now()
  const worker = startIndexer(
    { config, chain: await connectChain(config), log: pino({ level: 'error' }), clock: () => new Date() },
    { signal: ending.signal },
  )
  while ((worker.status().state?.processedBlock ?? -1) < head) {
    if (performance.now() - began > 300_000)
      throw new Error(`The worker is stuck: ${JSON.stringify(worker.status())}`)
    await sleep(5)
  }
  const seconds = (performance.now() - began) / 1000
  ending.abort()
  await worker.done
  const sql = postgres(databaseUrl, { max: 1 })
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from feed_items`
  await sql.end({ timeout: 1 })
  if (row?.count !== EVENTS) throw new Error(`${row?.count} feed items, not ${EVENTS}`)
  return seconds
}

async function fetchAndInsert(databaseUrl: string, chainUrl: string, registry: string): Promise<number> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  await sql`create table least (block text, log text, topics text, data text)`
  const began = performance.now()
  const logs = (await rpc(chainUrl, 'eth_getLogs', [
    { address: registry, fromBlock: '0x0', toBlock: 'latest' },
  ])) as { blockNumber: string; logIndex: string; topics: string[]; data: string }[]
  const rows = logs.map(({ blockNumber, logIndex, topics, data }) => ({
    block: blockNumber,
    log: logIndex,
    topics: topics.join(),
    data,
  }))
  await sql`insert into least ${sql(rows)}`
  const seconds = (performance.now() - began) / 1000
  await sql.end({ timeout: 1 })
  return seconds
}

/** Small transformations, many a block. */
async function publishMany(url: string, registry: string): Promise<void> {
  const owner = devAccount(2).address
  const runtime: Hex = '0x5f5ff3'
  await rpc(url, 'evm_setAutomine', [false])
  for (let at = 0; at < EVENTS; at += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, i) => {
      const nonce = at + i
      const name = `Many${nonce}`
      const contentHash = codeContentHash('transformation', name, 0, runtime)
      const artifact = { kind: 'transformation' as const, name, argsCount: 0, runtime, contentHash }
      const publication = {
        kind: 1,
        name,
        owner,
        contentHash,
        nonce: BigInt(nonce),
        deadline: 2n ** 40n,
        payload: encodePayload(artifact),
        metadata: '0x' as const,
      }
      const data = encodeFunctionData({
        abi: registryAbi,
        functionName: 'publish',
        args: [publication, '0x'],
      })
      const transaction = {
        from: owner,
        to: registry,
        data,
        gas: '0xf4240',
        nonce: `0x${nonce.toString(16)}`,
      }
      return { jsonrpc: '2.0', id: nonce, method: 'eth_sendTransaction', params: [transaction] }
    })
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(batch),
    })
    const answers = (await response.json()) as { error?: { message: string } }[]
    const refused = answers.find(({ error }) => error)
    if (refused) throw new Error(refused.error!.message)
    await rpc(url, 'anvil_mine', ['0x1'])
  }
}
