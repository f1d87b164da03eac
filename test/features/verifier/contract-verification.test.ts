import { afterEach, beforeEach, expect, test } from 'vitest'
import { contractVerification } from '#lib/features/verifier/contract-verification.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { type Studio, startStudio } from '#test/server/http/studio-requests.ts'
import { newPerson, newWallet, signIn } from '#test/server/services/people.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'
import { chainConfig } from '#test/support/chain-config.ts'
import { type StandInVerifier, startVerifier } from '#test/support/verifier.ts'

const ADMIN = newWallet()

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

async function start(sourcifyUrl: string | undefined): Promise<Studio> {
  const adminAddresses = [ADMIN.address.toLowerCase() as Address]
  studio = await startStudio({
    ...chainConfig(chain),
    adminAddresses,
    features: { verifier: { sourcifyUrl } },
  })
  return studio
}

function submit(to: Studio, token: string) {
  return to.send('POST', '/contract-verification', { token })
}

/** As in the address of a request to Sourcify. */
function isOf(path: string, address: string) {
  return path.toLowerCase().includes(address)
}

test('an administrator submits the contracts, and the answers are kept with what to do', async () => {
  const { registryAddress } = chainConfig(chain)
  verifier.answer = ({ method, path }) =>
    method === 'POST'
      ? { status: 409, body: {} }
      : { body: { runtimeMatch: isOf(path, registryAddress) ? 'exact_match' : 'match' } }
  const site = await start(verifier.url)
  expect(await contractVerification(site.api.services)).toEqual({ configured: true, verdicts: [] })
  const answer = await submit(site, await signIn(site.api, ADMIN))
  expect(answer.status, answer.text).toBe(204)

  const { verdicts } = await contractVerification(site.api.services)
  expect(verdicts.map(({ contract, match, fix }) => [contract, match, fix])).toEqual([
    ['PasskeyFactory', 'partial', undefined],
    ['Registry', 'exact', undefined],
    ['Runner', 'partial', undefined],
  ])
  // The sources are those that the contracts were compiled from.
  const sent = JSON.parse(
    verifier.asked.find(({ method, path }) => method === 'POST' && isOf(path, registryAddress))?.body ?? '',
  )
  expect(sent).toMatchObject({ compilerVersion: expect.stringMatching(/^0\.8\.\d+\+commit\./) })
  expect(Object.keys(sent.stdJsonInput.sources)).toContain('contracts/Registry.sol')

  // A later answer replaces the kept one.
  verifier.answer = () => ({ status: 503, body: { message: 'closed on Mondays' } })
  expect((await submit(site, await signIn(site.api, ADMIN))).status).toBe(204)
  const later = await contractVerification(site.api.services)
  expect(later.verdicts[1]).toMatchObject({ match: 'none', words: 'closed on Mondays' })
  expect(later.verdicts).toHaveLength(3)
})

test('a server that does not answer is said to, with the variable to check', async () => {
  const site = await start('http://127.0.0.1:1')
  expect((await submit(site, await signIn(site.api, ADMIN))).status).toBe(204)
  const { verdicts } = await contractVerification(site.api.services)
  expect(verdicts.map(({ fix }) => fix)).toEqual(Array(3).fill('It does not answer: check SOURCIFY_URL.'))
})

test('others may not, and without a server the refusal says what to set', async () => {
  const site = await start(undefined)
  const other = await newPerson(site.api)
  expect((await submit(site, other.token)).status).toBe(403)
  const refused = await submit(site, await signIn(site.api, ADMIN))
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('set SOURCIFY_URL')])
  expect(verifier.asked).toEqual([])
})
