import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleNetwork } from '../../scripts/example-network/network.ts'
import { publishExampleNetwork } from '../../scripts/example-network/publish.ts'
import { devAccount } from '../support/chain.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

const api = 'http://localhost/chain'

describe('publishing the example network', { timeout: 400_000 }, () => {
  let stack: TestStack
  beforeAll(async () => {
    stack = await startTestStack()
  })
  afterAll(() => stack.close())

  const blocks = () => stack.chain.publicClient.getBlockNumber({ cacheTime: 0 })

  it('resumes where it was interrupted, and publishes each entity once', async () => {
    const before = await blocks()
    // Interrupted after a transaction was sent and before it was confirmed.
    let confirmations = 0
    const cutOff = (request: Request): Promise<Response> => {
      if (/\/publish\/[a-z]+$/.test(request.url) && ++confirmations === 5) throw new Error('the power went')
      return stack.fetch(request)
    }
    await expect(publishExampleNetwork(api, devAccount(0), { fetch: cutOff })).rejects.toThrow(
      'the power went',
    )

    await publishExampleNetwork(api, devAccount(0), { fetch: stack.fetch })
    expect(await blocks()).toBe(before + BigInt(exampleNetwork.length))
    for (const { kind, name } of exampleNetwork) {
      const { status, body } = await stack.call('GET', `/${kind}/${name}`)
      expect([status, (body as { address: string }).address]).toEqual([
        200,
        expect.stringMatching(/^0x[0-9a-f]{40}$/),
      ])
    }
  })

  it('does nothing when everything is there', async () => {
    const before = await blocks()
    const requests: string[] = []
    await publishExampleNetwork(api, devAccount(0), {
      fetch: (request) => {
        requests.push(request.method)
        return stack.fetch(request)
      },
    })
    expect(await blocks()).toBe(before)
    expect(new Set(requests)).toEqual(new Set(['GET']))
  })
})
