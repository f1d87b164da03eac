import { type Hex, verifyMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConfig, http } from 'wagmi'
import { PAIRING, walletConnect } from '../../lib/ui/wallet/connect/wallet-connect.ts'
import {
  memory,
  startPhone,
  startWalletConnectRelay,
  type WalletConnectRelay,
} from '../support/wallet-connect.ts'

/*
 * WalletConnect with the real client at both ends, and a local relay between them that works like the public one:
 * stores messages by topic and delivers them to subscribers.
 */

let relay: WalletConnectRelay
const signer = privateKeyToAccount(generatePrivateKey())

beforeAll(async () => {
  relay = await startWalletConnectRelay()
})
afterAll(() => relay?.close())

test('pairs by a link, shows the account, and signs', async () => {
  const config = createConfig({
    chains: [foundry],
    connectors: [
      walletConnect({
        projectId: '0'.repeat(32),
        siteOrigin: 'https://weft.example',
        client: { ...memory('page'), relayUrl: relay.url },
      }),
    ],
    transports: { [foundry.id]: http() },
    storage: null,
  })
  const connector = config.connectors[0]!
  expect(connector.id).toBe('walletConnect')

  const asked: string[] = []
  const phone = await startPhone(
    relay.url,
    {
      address: signer.address,
      signMessage: (raw) => signer.signMessage({ message: { raw } }),
      signTypedData: (json) => signer.signTypedData(JSON.parse(json)),
    },
    asked,
  )
  const links: string[] = []
  connector.emitter.on('message', ({ type, data }) => {
    if (type !== PAIRING) return
    links.push(data as string)
    void phone.pair({ uri: data as string })
  })
  const { accounts, chainId } = await connector.connect()
  expect(links).toEqual([expect.stringMatching(/^wc:[0-9a-f]{64}@2\?/)])
  expect(accounts).toEqual([signer.address])
  expect(chainId).toBe(31_337)

  const provider = (await connector.getProvider()) as { request(call: object): Promise<unknown> }
  const message = 'Login nonce: 1'
  const signature = (await provider.request({
    method: 'personal_sign',
    params: [`0x${Buffer.from(message).toString('hex')}`, signer.address],
  })) as Hex
  expect(await verifyMessage({ address: signer.address, message, signature })).toBe(true)
  expect(asked).toEqual(['personal_sign'])

  // A restored session needs no new link.
  expect((await connector.connect({ isReconnecting: true })).accounts).toEqual([signer.address])
  expect(links).toHaveLength(1)
})
