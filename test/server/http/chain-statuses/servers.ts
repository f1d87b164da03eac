import type { Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect } from 'vitest'
import type { EntityKind } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { chainOperations } from '#lib/server/operations/chain/index.ts'
import { type PreparedWire, signPrepared } from '#test/core/publication/sign-prepared.ts'
import type { Answer, Sent, TestApi } from '#test/support/api.ts'
import { devAccount, type TestChain, testChain } from '#test/support/chain.ts'
import { chainConfig, falseRunnerConfig, strandedConfig } from '#test/support/chain-config.ts'
import { lower } from '#test/support/lower.ts'
import { startContractApi } from '../contract-api.ts'
import { ONCE_A_MINUTE } from '../rates.ts'
import { statusMatrix } from '../status-matrix.ts'

export const matrix = statusMatrix(chainOperations)
export const budget = 10n ** 21n
export const SPONSOR = { key: generatePrivateKey(), perDay: budget, perAccount: budget, perClient: budget }

export let chain: TestChain
export let main: TestApi
/** Its chain does not answer. */
export let stranded: TestApi
/** A part of it has a defect. */
export let defective: TestApi
/** Publication is switched off; one draft an owner; the local EVM is broken; the runner is not a runner. */
export let crippled: TestApi
/** It trusts a proxy, allows each client one request a minute of each kind, and no stream. */
export let crowded: TestApi
export let alice: string
export let bob: string

/** Starts the servers and the chain for the tests of a file. */
export function openServers(): void {
  beforeAll(async () => {
    chain = await testChain()
    const falseRunner = await falseRunnerConfig(chain)
    ;[main, stranded, crippled] = await Promise.all([
      startContractApi({ ...chainConfig(chain), sponsor: SPONSOR }),
      startContractApi({ ...strandedConfig(chain), sponsor: SPONSOR }),
      startContractApi(
        { ...falseRunner, publicationEnabled: false, maxDraftsPerOwner: 1 },
        {
          simulator: {
            simulate: () => Promise.reject(new Failure('execution_failed', 'The local EVM failed')),
            simulateJson: () => Promise.reject(new Failure('execution_failed', 'The local EVM failed')),
            start: () => undefined,
            close: async () => undefined,
          },
        },
      ),
    ])
    crowded = await startContractApi({
      ...chainConfig(chain),
      ...ONCE_A_MINUTE,
      streams: { maxReaders: 10, maxOfClient: 0 },
    })
    const access = main.services.chain
    if (access === undefined) throw new Error('no chain')
    await access.verify()
    defective = await startContractApi(
      {},
      { chain: { ...access, verify: () => Promise.reject(new TypeError('x')) } },
    )
    await defective.db.sql`alter table drafts rename to lost`
    alice = await main.token(lower(devAccount(0).address))
    bob = await main.token(lower(devAccount(1).address))
  })

  afterAll(async () => {
    await Promise.all([
      crowded?.close(),
      main?.close(),
      stranded?.close(),
      crippled?.close(),
      defective?.close(),
    ])
    await chain?.close()
  })
}

/** Sends a request and holds it to the operation and the status that the test is about. */
export async function reach(
  api: TestApi,
  pair: `${string} ${number}`,
  method: string,
  path: string,
  sent: Sent = {},
): Promise<Answer> {
  const answer = await api.send(method, path, sent)
  expect(`${answer.operationId} ${answer.status}`, JSON.stringify(answer.json)).toBe(pair)
  matrix.reach(pair)
  return answer
}

export const definitions = {
  transformation: (name: string) => ({ name, sol_src: 'return x + 1;' }),
  condition: (name: string) => ({ name, sol_src: 'return true;' }),
  connector: (name: string) => ({ name, dimensions: [{ transformations: [] }] }),
}

export async function draft(api: TestApi, kind: EntityKind, name: string, token: string): Promise<void> {
  await reach(api, `POST_${kind} 201`, 'POST', `/${kind}`, { token, json: definitions[kind](name) })
}

export async function prepareAndSign(
  kind: EntityKind,
  name: string,
  account: 0 | 1,
): Promise<Sent & { json: object }> {
  const token = account === 0 ? alice : bob
  const answer = await reach(main, 'POST_publishPrepare 200', 'POST', `/publish/${kind}/prepare`, {
    token,
    json: { name, relay: true },
  })
  const prepared = answer.json as PreparedWire
  const raw_tx = await signPrepared(prepared, devAccount(account))
  return { token, json: { name, content_hash: prepared.content_hash, raw_tx } }
}

export async function publish(
  kind: EntityKind,
  name: string,
  account: 0 | 1,
): Promise<{ confirm: Sent & { json: object } }> {
  const signed = await prepareAndSign(kind, name, account)
  const sent = await reach(main, 'POST_publishSend 202', 'POST', `/publish/${kind}/send`, signed)
  const { content_hash } = signed.json as { content_hash: Hex }
  const { tx_hash } = sent.json as { tx_hash: Hex }
  return {
    confirm: { token: signed.token as string, json: { name, content_hash, tx_hash } },
  }
}
