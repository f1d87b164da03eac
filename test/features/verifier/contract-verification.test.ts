import { afterEach, beforeEach, expect, test } from 'vitest'
import { contractVerification } from '#lib/features/verifier/contract-verification.ts'
import type { Config } from '#lib/platform/config.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { type Studio, send, startStudio } from '#test/server/http/studio-requests.ts'
import { newPerson, newWallet, signIn } from '#test/server/services/people.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'
import { chainConfig } from '#test/support/chain-config.ts'
import { type StandInVerifier, startVerifier } from '#test/support/verifier.ts'

const ADMIN = newWallet()
const KEY = 'a-key-of-etherscan'

let chain: TestChain
let verifier: StandInVerifier
let studio: Studio | undefined
beforeEach(async () => {
  ;[chain, verifier] = await Promise.all([testChain(), startVerifier()])
})
afterEach(async () => {
  await studio?.api.close()
  await Promise.all([chain.close(), verifier.close()])
})

async function start(verifiers: Config['verifiers']): Promise<Studio> {
  const adminAddresses = [ADMIN.address.toLowerCase() as Address]
  studio = await startStudio({ ...chainConfig(chain), adminAddresses, verifiers })
  return studio
}

const NONE = {
  sourcifyUrl: undefined,
  etherscanKey: undefined,
  etherscanUrl: undefined,
  blockscoutUrl: undefined,
}

function submit(to: Studio, token: string) {
  return send(to, 'POST', '/contract-verification', { token })
}

/** As in the address of a request to Sourcify or Blockscout. */
function isOf(path: string, address: string) {
  return path.toLowerCase().includes(address)
}

test('an administrator submits the contracts to each verifier, and the answers are kept with what to do', async () => {
  const { registryAddress } = chainConfig(chain)
  verifier.answer = ({ method, path }) => {
    if (path.startsWith('/sourcify')) {
      return method === 'POST'
        ? { status: 409, body: {} }
        : { body: { runtimeMatch: isOf(path, registryAddress) ? 'exact_match' : 'match' } }
    }
    if (path.startsWith('/etherscan')) return { body: { status: '0', result: `Invalid API Key ${KEY}` } }
    return { body: { is_fully_verified: true } }
  }
  const named = {
    sourcifyUrl: `${verifier.url}/sourcify`,
    etherscanKey: KEY,
    etherscanUrl: `${verifier.url}/etherscan`,
    blockscoutUrl: `${verifier.url}/blockscout`,
  }
  const site = await start(named)
  expect((await contractVerification(site.api.services)).flatMap(({ verdicts }) => verdicts)).toEqual([])
  const answer = await submit(site, await signIn(site.api, ADMIN))
  expect(answer.status, answer.text).toBe(204)

  const kept = await contractVerification(site.api.services)
  const shown = kept.map(({ name, verdicts }) => [
    name,
    ...verdicts.map((each) => [each.contract, each.match]),
  ])
  const all = (match: string) => ['PasskeyFactory', 'Registry', 'Runner'].map((contract) => [contract, match])
  expect(shown).toEqual([
    ['Sourcify', ['PasskeyFactory', 'partial'], ['Registry', 'exact'], ['Runner', 'partial']],
    ['Etherscan', ...all('none')],
    ['Blockscout', ...all('exact')],
  ])
  expect(kept[1]?.verdicts[0]).toMatchObject({
    words: 'Invalid API Key [key]',
    fix: 'Set ETHERSCAN_API_KEY to a key of your account there.',
  })
  expect(kept[0]?.verdicts[0]?.fix).toBeUndefined()
  // The sources are those that the contracts were compiled from.
  const sent = JSON.parse(
    verifier.asked.find(
      ({ method, path }) => method === 'POST' && isOf(path, registryAddress) && path.startsWith('/sourcify'),
    )?.body ?? '',
  )
  expect(sent).toMatchObject({ compilerVersion: expect.stringMatching(/^0\.8\.\d+\+commit\./) })
  expect(Object.keys(sent.stdJsonInput.sources)).toContain('contracts/Registry.sol')

  // A later answer replaces the kept one.
  verifier.answer = () => ({ status: 503, body: { message: 'closed on Mondays' } })
  expect((await submit(site, await signIn(site.api, ADMIN))).status).toBe(204)
  const [sourcify] = await contractVerification(site.api.services)
  expect(sourcify?.verdicts[1]).toMatchObject({ match: 'none', words: 'closed on Mondays' })
  expect(sourcify?.verdicts).toHaveLength(3)
})

test('a verifier that does not answer is said to, with the variable to check', async () => {
  const site = await start({ ...NONE, sourcifyUrl: 'http://127.0.0.1:1' })
  expect((await submit(site, await signIn(site.api, ADMIN))).status).toBe(204)
  const [sourcify, etherscan] = await contractVerification(site.api.services)
  expect(sourcify?.verdicts.map(({ fix }) => fix)).toEqual(
    Array(3).fill('It does not answer: check SOURCIFY_URL.'),
  )
  expect(etherscan).toMatchObject({ configured: false, variable: 'ETHERSCAN_API_KEY', verdicts: [] })
})

test('others may not, and without a verifier the refusal says what to set', async () => {
  const site = await start(NONE)
  const other = await newPerson(site.api)
  expect((await submit(site, other.token)).status).toBe(403)
  const refused = await submit(site, await signIn(site.api, ADMIN))
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining('set one or more of SOURCIFY_URL, ETHERSCAN_API_KEY, BLOCKSCOUT_URL'),
  ])
  expect(verifier.asked).toEqual([])
})
