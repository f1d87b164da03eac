import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { measureGas } from '#scripts/contracts/measure-gas.ts'
import { startNode, type TestNode } from './network.ts'

const snapshot: unknown = JSON.parse(
  readFileSync(new URL('../../contracts/gas-snapshot.json', import.meta.url), 'utf8'),
)

let node: TestNode
beforeEach(async () => {
  node = await startNode()
})
afterEach(() => node.close())

/** The EVM counts exactly, so any difference is a change of ours: `npm run contracts:gas` writes new figures. */
test('publishing and running cost as much as in the snapshot', async () => {
  expect(await measureGas(node.url)).toEqual(snapshot)
})
