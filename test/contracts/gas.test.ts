import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { measureGas } from '../../scripts/contracts/measure-gas.ts'
import { startNode, type TestNode } from './network.ts'

const snapshot: unknown = JSON.parse(
  readFileSync(new URL('../../contracts/gas-snapshot.json', import.meta.url), 'utf8'),
)

let node: TestNode
beforeAll(async () => {
  node = await startNode()
})
afterAll(() => node.close())

/** The EVM counts exactly, so any difference is a change of ours: `npm run contracts:gas` writes new figures. */
test('publishing and running cost what the snapshot says', async () => {
  expect(await measureGas(node.url)).toEqual(snapshot)
})
