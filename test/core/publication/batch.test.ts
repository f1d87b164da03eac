import { afterAll, beforeAll, expect, test } from 'vitest'
import { registryEntries } from '#lib/chain/registry-reads.ts'
import { verifiedChain } from '#lib/core/context/verified-chain.ts'
import { type BatchItem, prepareBatch } from '#lib/core/entities/publication/prepare-batch.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { contextOf } from '#test/support/context.ts'
import { devAccount, type Network, startNetwork } from './network.ts'

/* Several publications prepared as one transaction of their owner. */

let network: Network
const owner = devAccount(1)
const address = owner.address.toLowerCase() as Address
beforeAll(async () => {
  network = await startNetwork()
})
afterAll(() => network?.close())

function batchOf(items: readonly BatchItem[], caller: Address = address) {
  return prepareBatch(contextOf(network.api.services, caller), items)
}

function transformation(name: string) {
  return { kind: 'transformation', name } as const
}

function connector(name: string) {
  return { kind: 'connector', name } as const
}

async function sendAndConfirm({ to, data, gas }: Awaited<ReturnType<typeof batchOf>>) {
  const hash = await network.chain.wallet(1).sendTransaction({ to, data, gas })
  return network.chain.publicClient.waitForTransactionReceipt({ hash })
}

test('a connector may use what stands before it; confirming works for each by the one hash', async () => {
  await network.draftTransformation('batch_add', owner)
  await network.draftConnector('batch_weave', ['batch_add'], owner)
  const batch = await batchOf([transformation('batch_add'), connector('batch_weave')])
  const receipt = await sendAndConfirm(batch)
  expect(receipt.status).toBe('success')
  const entries = await registryEntries(await verifiedChain(network.api.services), batch.items)
  expect(entries.map((entry) => entry?.address)).toEqual(batch.items.map((item) => item.address))
  for (const { kind, name, contentHash } of batch.items) {
    const body = { name, content_hash: contentHash, tx_hash: receipt.transactionHash }
    expect(await network.post(`/publish/${kind}`, body, owner)).toMatchObject({ status: 201 })
  }
  const worker = network.startWorker()
  await expect.poll(async () => (await network.api.send('GET', '/connector/batch_weave')).status).toBe(200)
  await worker.stop()
})

test("what stands in the wrong order, is missing, taken, twice or not the caller's is refused", async () => {
  await network.draftTransformation('order_add', owner)
  await network.draftConnector('order_weave', ['order_add'], owner)
  const wrong = [connector('order_weave'), transformation('order_add')]
  await expect(batchOf(wrong)).rejects.toMatchObject({
    code: 'dependency_conflict',
    details: { missing: ['transformation/order_add'] },
  })
  await expect(batchOf([transformation('nowhere')])).rejects.toMatchObject({ code: 'not_found' })
  const twice = [transformation('order_add'), transformation('order_add')]
  await expect(batchOf(twice)).rejects.toMatchObject({ code: 'registry_conflict' })
  const stranger = devAccount(2).address.toLowerCase() as Address
  await expect(batchOf([transformation('order_add')], stranger)).rejects.toMatchObject({ code: 'forbidden' })
  await network.publish('transformation', 'order_add', owner)
  await expect(batchOf([transformation('order_add')])).rejects.toMatchObject({ code: 'registry_conflict' })
})

test('more than one transaction takes is left for the next', async () => {
  const names = Array.from({ length: 16 }, (_, index) => `wordy_${index}`)
  for (const name of names) await network.draftTransformation(name, owner)
  const wordy = (name: string): BatchItem => ({
    ...transformation(name),
    metadata: `0x${'20'.repeat(8_000)}`,
  })
  const batch = await batchOf(names.map(wordy))
  expect(batch.items.length).toBeGreaterThan(1)
  expect(batch.items.length).toBeLessThan(names.length)
  expect(batch.items.map(({ name }) => name)).toEqual(names.slice(0, batch.items.length))
  expect((await sendAndConfirm(batch)).status).toBe('success')
  const rest = await batchOf(names.slice(batch.items.length).map(wordy))
  expect(rest.items.map(({ name }) => name)).toEqual(names.slice(batch.items.length))
})
