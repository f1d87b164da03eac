import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bytesToHex, encodeFunctionData, keccak256, toRlp } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCertificate } from '#lib/features/proofs/checker/certificate.ts'
import { checkFile } from '#lib/features/proofs/checker/check.ts'
import { collectCertificate } from '#lib/features/proofs/checker/collect.ts'
import { REGISTRY, RUNNER } from '#lib/features/proofs/checker/contracts.ts'
import { encodeHeader } from '#lib/features/proofs/checker/header.ts'
import { decodeRlp } from '#lib/features/proofs/checker/rlp.ts'
import type { Source } from '#lib/features/proofs/checker/sources.ts'
import type { Trust } from '#lib/features/proofs/checker/trust.ts'
import { runnerAbi } from '#lib/protocol/abi.ts'
import { type Hash, type Hex, KIND_CODE } from '#lib/protocol/entity.ts'
import { entityAddress } from '#lib/protocol/entity-address.ts'
import { type RpcProxy, startRpcProxy } from '#test/support/rpc-proxy.ts'
import registryArtifact from '../../../contracts/artifacts/Registry.json' with { type: 'json' }
import runnerArtifact from '../../../contracts/artifacts/Runner.json' with { type: 'json' }
import { type ProvenNetwork, start, startProvenNetwork } from './network.ts'

let network: ProvenNetwork
beforeAll(async () => {
  network = await startProvenNetwork()
})
afterAll(() => network?.close())

/** Answer of the Runner on chain. */
async function onChain(connector: string, count: number, block = 'latest'): Promise<Hex> {
  const { chain } = network.registry
  const data = encodeFunctionData({ abi: runnerAbi, functionName: 'generate', args: [connector, count, []] })
  return (await chain.rpc('eth_call', [{ to: chain.runner, data }, block])) as Hex
}

async function newestBlock() {
  const block = await network.registry.chain.publicClient.getBlock()
  return { number: Number(block.number), hash: block.hash as Hash }
}

test('the constants are those of the compiled contracts', () => {
  expect(REGISTRY.hash).toBe(keccak256(registryArtifact.deployedBytecode as Hex))
  expect(RUNNER.hash).toBe(keccak256(runnerArtifact.deployedBytecode as Hex))
})

describe('a certificate', () => {
  test('holds what the Runner on chain returns, and is consistent without a network', async () => {
    for (const connector of ['pair', 'tree']) {
      const text = await network.certify(connector)
      const certificate = await readCertificate(text)
      expect(bytesToHex(certificate.answer)).toBe(await onChain(connector, 16))
      expect(await checkFile(text)).toMatchObject({ verdict: 'consistent', code: 'consistent' })
    }
  })

  test('is proven by a block or a node that the reader trusts, and by nothing that the file says', async () => {
    const text = await network.certify('pair')
    const { chain, block } = await readCertificate(text)
    const alone = await checkFile(text)
    expect(alone).toMatchObject({
      ...{ verdict: 'consistent', chain: chain.id, registry: chain.registry, block },
      sources: ['a.example', 'b.example'],
    })
    expect(alone.sentence).toMatch(
      /^Consistent: the 32 values of 2 paths are what the code of "pair" and its 2 parts/,
    )
    expect(alone.sentence).toContain(`Not checked: that this block is of chain ${chain.id}.`)
    const by = (trust: Trust) => checkFile(text, trust)
    expect((await by({ block: block.hash })).sentence).toMatch(
      /^Proven: .*, which is of chain 31337: you name it\.$/,
    )
    const node = network.source('node.example')
    const both = await by({ block: block.hash, nodes: [node, network.source('other.example')] })
    expect(both).toMatchObject({ verdict: 'proven', code: 'proven' })
    expect(both.sentence).toContain('you name it, and "node.example", "other.example" have it')

    const other = `0x${'12'.repeat(32)}` as const
    expect(await by({ block: other })).toMatchObject({ verdict: 'undecided', code: 'other_block' })
    expect(await by({ block: other, nodes: [node] })).toMatchObject({ code: 'other_block' })
    const answers = (method: string, instead: unknown) => {
      const ask: Source['ask'] = async (asked, given) => (asked === method ? instead : node.ask(asked, given))
      return by({ nodes: [{ name: 'liar', ask }] })
    }
    expect(await answers('eth_chainId', '0x1')).toMatchObject({ verdict: 'refuted', code: 'other_chain' })
    const sibling = await node.ask('eth_getBlockByNumber', ['0x1', false])
    for (const [instead, code] of [
      [null, 'no_source'],
      [{ hash: block.hash, number: '0x1' }, 'no_source'],
      [sibling, 'no_source'],
    ] as const) {
      expect(await answers('eth_getBlockByNumber', instead)).toMatchObject({ code })
    }
    const silent = { name: 'silent', ask: () => Promise.reject(new Error('no answer')) }
    expect(await by({ nodes: [silent] })).toMatchObject({ verdict: 'undecided', code: 'no_source' })
  })

  test('of what was published after the final block says that its author calls it not final', async () => {
    await network.publish({ name: 'young', dimensions: [{ transformations: [{ name: 'add', args: [3] }] }] })
    const verdict = await checkFile(await network.certify('young'))
    expect(verdict.verdict).toBe('consistent')
    expect(verdict.sentence).toContain('as not yet final')
  })

  test('of a rejected run holds the reason; of what reads more than its input there is none', async () => {
    const rejected = await checkFile(await network.certify('never'))
    expect(rejected.sentence).toMatch(/^Consistent: the rejection of this run is what the code of "never"/)
    expect(await checkFile(await network.certify('fenced', { starts: [start(1, 90)] }))).toMatchObject({
      verdict: 'consistent',
    })
    for (const connector of ['here', 'clock'])
      await expect(network.certify(connector)).rejects.toMatchObject({
        code: 'not_recheckable',
        refuted: false,
      })
  })

  test('is at most 200 kB for ten entities and 1,024 values', async () => {
    const text = await network.certify('grove', { count: 256 })
    const certificate = await readCertificate(text)
    expect(certificate.entities).toHaveLength(10)
    expect(certificate.answer.length).toBeGreaterThan(4 * 1024)
    expect(await checkFile(text)).toMatchObject({ verdict: 'consistent' })
    expect(text.length).toBeLessThan(200_000)
  })
})

test.runIf(process.env.PROOF_VECTORS)('the vectors of the other tests are written anew', async () => {
  const vectors: Record<string, unknown> = {}
  for (const connector of ['tree', 'never']) {
    vectors[connector] = JSON.parse(await network.certify(connector))
  }
  const path = fileURLToPath(new URL('vectors.json', import.meta.url))
  writeFileSync(path, `${JSON.stringify(vectors, null, 1)}\n`)
})

describe('a node', () => {
  test('that keeps no older state still proves every run that reads nothing but its input', async () => {
    const { chain } = network.registry
    await chain.rpc('anvil_mine', ['0x90'])
    const newest = (await newestBlock()).number
    const proxy = await startRpcProxy(chain.url)
    try {
      proxy.intervene = ({ method, params }) => {
        const at = params.at(-1)
        if (!/^eth_(call|getCode|getProof|getStorageAt)$/.test(method)) return undefined
        const number = typeof at === 'string' && at.startsWith('0x') ? Number(at) : newest
        const isOld = typeof at === 'object' || number < newest - 1
        return isOld ? { code: -32_000, message: 'missing trie node' } : undefined
      }
      for (const connector of ['pair', 'tree', 'never', 'fenced']) {
        const text = await network.certify(connector, {}, [network.source('full', proxy.url)])
        expect(await checkFile(text)).toMatchObject({ verdict: 'consistent' })
        expect((await readCertificate(text)).block).toMatchObject({ number: newest, final: false })
      }
    } finally {
      await proxy.close()
    }
  })

  test('that changed the state of the final block after it was mined proves the run at the block before', async () => {
    const { chain } = network.registry
    await chain.rpc('anvil_mine', ['0x2'])
    const { number: changed } = await newestBlock()
    const finalized = (await chain.publicClient.getBlock({ blockTag: 'finalized' })).number
    await chain.rpc('anvil_setBalance', [`0x${'77'.repeat(20)}`, '0x1'])
    await chain.rpc('anvil_mine', [`0x${(changed - Number(finalized)).toString(16)}`])
    const text = await network.certify('tree')
    expect((await readCertificate(text)).block).toMatchObject({ number: changed - 1, final: true })
    expect(await checkFile(text)).toMatchObject({ verdict: 'consistent' })
  })

  test('that is silent is left out and named; one on another chain, or with another block, is a disagreement', async () => {
    const { chain } = network.registry
    const proxy = await startRpcProxy(chain.url)
    try {
      const certify = () =>
        collectCertificate(
          network.run('pair'),
          [network.source(), network.source('other', proxy.url)],
          network.namesOf,
        )
      proxy.intervene = () => ({ status: 503 })
      const { text, silent } = await certify()
      expect(silent).toEqual(['other'])
      expect((await readCertificate(text)).sources).toEqual(['a.example'])

      proxy.intervene = ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined)
      await expect(certify()).rejects.toMatchObject({ code: 'sources_disagree' })

      // A header that hashes to what it says, but is not the chain's.
      const finalized = (await chain.publicClient.getBlock({ blockTag: 'finalized' })).number
      const number = `0x${finalized.toString(16)}`
      const real = (await chain.rpc('eth_getBlockByNumber', [number, false])) as Record<string, string>
      const fields = decodeRlp(encodeHeader(real) as Uint8Array) as Uint8Array[]
      const forged = toRlp(fields.with(12, Uint8Array.of(7)), 'hex')
      const answer = { ...real, extraData: '0x07', hash: keccak256(forged) }
      proxy.intervene = ({ method, params }) =>
        method === 'eth_getBlockByNumber' && params[0] === number ? { result: answer } : undefined
      await expect(certify()).rejects.toThrow(
        `The sources disagree about block ${finalized}: a.example says ${real.hash}, other says ${answer.hash}.`,
      )
    } finally {
      await proxy.close()
    }
  })

  test('that answers one reader otherwise than another is caught by each of them', async () => {
    const { chain } = network.registry
    const proxy = await startRpcProxy(chain.url)
    const { chain: at, entities } = await readCertificate(await network.certify('tree'))
    const addresses = [
      ...[at.registry, at.runner],
      ...entities.map(({ kind, name, code }) => entityAddress(at.registry, KIND_CODE[kind], name, code)),
    ]
    const codes = new Map<string, string>()
    const proofs = new Map<string, string[]>()
    for (const address of addresses) {
      codes.set(address, (await chain.rpc('eth_getCode', [address, 'latest'])) as string)
      const proof = (await chain.rpc('eth_getProof', [address, [], 'latest'])) as { accountProof: string[] }
      proofs.set(address, proof.accountProof)
    }
    const lies: readonly (readonly [string, RpcProxy['intervene'], string])[] = [
      ['code of the root', codeOf((one) => one.startsWith('0x0001')), 'tree_data'],
      ['code of a part', codeOf((one) => one.length < 1400 && !one.startsWith('0x0001')), 'tree_missing'],
      ['code of the runner', codeOf((one) => one.length > 20_000 && one.length < 25_000), 'runner_code'],
      ['no proof at all', proofOf(() => []), 'proof_missing'],
      ['a proof of another node', proofOf((nodes) => nodes.with(-1, '0xc20102')), 'proof_missing'],
      ['a proof without its last node', proofOf((nodes) => nodes.slice(0, -1)), 'proof_missing'],
    ]
    try {
      for (const [name, intervene, code] of lies) {
        proxy.intervene = intervene
        const sources = [network.source('a.example', proxy.url), network.source('b.example')]
        const found = await network
          .certify('tree', {}, sources)
          .then(checkFile)
          .catch((error: { readonly code?: string }) => error)
        expect.soft(found.code, name).toBe(code)
      }
      // The other reader is given what is true.
      expect(await checkFile(await network.certify('tree'))).toMatchObject({ verdict: 'consistent' })
    } finally {
      await proxy.close()
    }

    /** Answers code that is like another one, where the real code passes a test, with its last bit changed. */
    function codeOf(isMeant: (code: string) => boolean): RpcProxy['intervene'] {
      return ({ method, params }) => {
        const code = method === 'eth_getCode' ? codes.get(params[0] as string) : undefined
        if (code === undefined || !isMeant(code)) return undefined
        return { result: `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}` }
      }
    }
    function proofOf(change: (nodes: string[]) => string[]): RpcProxy['intervene'] {
      return ({ method, params }) =>
        method === 'eth_getProof'
          ? { result: { accountProof: change(proofs.get(params[0] as string) ?? []), storageProof: [] } }
          : undefined
    }
  })
})
