import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll } from 'vitest'
import type { Services } from '#lib/core/context/context.ts'
import { overloaded } from '#lib/protocol/overload.ts'
import { startBucket, type TestBucket } from '#test/core/worlds/support/s3.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'
import { chainConfig, falseRunnerConfig, strandedConfig } from '#test/support/chain-config.ts'
import { newPerson } from '../../services/people.ts'
import { ONCE_A_MINUTE } from '../rates.ts'
import { type Studio, startStudio } from '../studio-requests.ts'

const budget = 10n ** 21n
export const SPONSOR = { key: generatePrivateKey(), perDay: budget, perAccount: budget, perClient: budget }

type Person = Awaited<ReturnType<typeof newPerson>>

export let chain: TestChain
export let main: Studio
/** Its chain does not answer, its compiler is full, and its table of publications is gone. */
export let broken: Studio
/** Its runner is none, and every client address may do everything costly once a minute. */
export let strict: Studio
let bucket: TestBucket
/** Takes bundles by way of a bucket, and one World of each account. */
export let addressed: Studio
export let ada: Person
export let ben: Person
export let account: string

const FULL_COMPILER: Services['compiler'] = {
  compile: () => Promise.reject(overloaded('compile')),
  inspect: () => Promise.reject(overloaded('compile')),
  start: () => {},
  close: async () => {},
}

/** The address of a link that does not exist. */
export const NO_LINK = 'A'.repeat(22)

/** Starts the servers, the chain and the accounts for the tests of a file. */
export function openStudios(): void {
  beforeAll(async () => {
    chain = await testChain()
    const falseRunner = await falseRunnerConfig(chain)
    bucket = await startBucket()
    const byAddress = {
      ...{ blobBucket: bucket.settings, uploadsByAddress: true, maxWorldsPerOwner: 1 },
      // Imports from another site of this machine.
      webhooksAllowLoopback: true,
    }
    ;[main, broken, strict, addressed] = await Promise.all([
      startStudio({ ...chainConfig(chain), sponsor: SPONSOR }),
      startStudio({ ...strandedConfig(chain), sponsor: SPONSOR }, { compiler: FULL_COMPILER }),
      startStudio({ ...falseRunner, ...ONCE_A_MINUTE }),
      startStudio(byAddress),
    ])
    ada = await newPerson(main.api)
    ben = await newPerson(main.api)
    account = ada.address.toLowerCase()
  })
  afterAll(async () => {
    await Promise.all([main, broken, strict, addressed].map((studio) => studio?.api.close()))
    await bucket?.close()
    await chain?.close()
  })
}
