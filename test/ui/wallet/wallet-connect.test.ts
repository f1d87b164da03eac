import { type Hex, verifyMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Connector, createConfig, http } from 'wagmi'
import { PAIRING, walletConnect } from '#lib/ui/wallet/connect/wallet-connect.ts'
import { devChain } from '#scripts/stack/dev-chain.ts'
import {
  memory,
  startPhone,
  startWalletConnectRelay,
  type WalletConnectRelay,
} from '#test/support/wallet-connect.ts'

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

/** The page's connector, and a phone that follows its links. */
async function pair(
  name: string,
  options: { chainId?: number; declines?: ReadonlySet<string>; silent?: boolean } = {},
): Promise<{ connector: Connector; asked: string[]; links: string[] }> {
  const config = createConfig({
    chains: [devChain],
    connectors: [
      walletConnect({
        projectId: '0'.repeat(32),
        siteOrigin: 'https://weft.example',
        client: { ...memory(name), relayUrl: relay.url },
      }),
    ],
    transports: { [devChain.id]: http() },
    storage: null,
  })
  const connector = config.connectors[0]!
  const asked: string[] = []
  const phone = await startPhone(
    relay.url,
    {
      address: signer.address,
      signMessage: (raw) => signer.signMessage({ message: { raw } }),
      signTypedData: (json) => signer.signTypedData(JSON.parse(json)),
    },
    asked,
    options,
  )
  const links: string[] = []
  connector.emitter.on('message', ({ type, data }) => {
    if (type !== PAIRING) return
    links.push(data as string)
    void phone.pair({ uri: data as string })
  })
  return { connector, asked, links }
}

async function sign(connector: Connector, message: string): Promise<Hex> {
  const provider = (await connector.getProvider()) as { request(call: object): Promise<unknown> }
  const params = [`0x${Buffer.from(message).toString('hex')}`, signer.address]
  return (await provider.request({ method: 'personal_sign', params })) as Hex
}

test('pairs by a link, shows the account, and signs', async () => {
  const { connector, asked, links } = await pair('page')
  expect(connector.id).toBe('walletConnect')

  const { accounts, chainId } = await connector.connect()
  expect(links).toEqual([expect.stringMatching(/^wc:[0-9a-f]{64}@2\?/)])
  expect(accounts).toEqual([signer.address])
  expect(chainId).toBe(31_337)

  const message = 'Login nonce: 1'
  const signature = await sign(connector, message)
  expect(await verifyMessage({ address: signer.address, message, signature })).toBe(true)
  expect(asked).toEqual(['personal_sign'])

  // A restored session needs no new link.
  expect((await connector.connect({ isReconnecting: true })).accounts).toEqual([signer.address])
  expect(links).toHaveLength(1)
})

test.each([true, false])(
  'a wallet on another network is switched, silently: %s, and signs afterwards',
  async (silent) => {
    const declines = new Set(['personal_sign'])
    const { connector, asked } = await pair(`elsewhere-${silent}`, { chainId: 1, declines, silent })
    await connector.connect()
    expect(await connector.getChainId()).toBe(1)
    await connector.switchChain?.({ chainId: devChain.id })
    expect(await connector.getChainId()).toBe(devChain.id)
    expect(asked).toEqual(['wallet_switchEthereumChain', 'wallet_addEthereumChain'])
    await expect(sign(connector, 'a')).rejects.toMatchObject({ code: 4001 })
    declines.clear()
    expect(
      await verifyMessage({ address: signer.address, message: 'a', signature: await sign(connector, 'a') }),
    ).toBe(true)
    // As pages do whenever they look at the wallet.
    await connector.connect({ isReconnecting: true })
    expect(await connector.getChainId()).toBe(devChain.id)
    // A transaction could reach the other network.
    const provider = (await connector.getProvider()) as { request(call: object): Promise<unknown> }
    const sending = provider.request({ method: 'eth_sendTransaction', params: [{ from: signer.address }] })
    await expect(sending).rejects.toMatchObject({ code: silent ? 4901 : 4200 })
  },
)
