import { concat, type Hex, keccak256, parseTransaction, serializeTransaction, toRlp } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { InvalidTransaction, parseSignedTransaction } from '#lib/chain/raw-transaction.ts'

const account = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const to = '0x1111111111111111111111111111111111111111'
const plain = {
  type: 'eip1559',
  chainId: 31337,
  nonce: 7,
  maxPriorityFeePerGas: 1n,
  maxFeePerGas: 2_000_000_000n,
  gas: 100_000n,
  to,
  value: 0n,
  data: '0xdeadbeef',
} as const

function sign(change: object = {}): Promise<Hex> {
  return account.signTransaction({ ...plain, ...change })
}

/** Builds the bytes field by field, so that they need not be what a wallet would produce. */
async function assemble(edit: (fields: (Hex | Hex[])[]) => void): Promise<Hex> {
  const signed = parseTransaction(await sign()) as { yParity: number; r: Hex; s: Hex }
  const fields: (Hex | Hex[])[] = [
    '0x7a69',
    '0x07',
    '0x01',
    '0x77359400',
    '0x0186a0',
    to,
    '0x',
    '0xdeadbeef',
    [],
    signed.yParity === 0 ? '0x' : '0x01',
    signed.r,
    signed.s,
  ]
  edit(fields)
  return concat(['0x02', toRlp(fields as Hex[])])
}

/** A signed transaction with another value in one place. */
function withField(index: number, value: Hex | Hex[]): () => Promise<Hex> {
  return () =>
    assemble((fields) => {
      fields[index] = value
    })
}

describe('parseSignedTransaction', () => {
  it('reads what a wallet signs, with sender and hash', async () => {
    const raw = await sign()
    expect(await parseSignedTransaction(raw)).toEqual({
      hash: keccak256(raw),
      from: account.address.toLowerCase(),
      chainId: 31337n,
      nonce: 7n,
      maxPriorityFeePerGas: 1n,
      maxFeePerGas: 2_000_000_000n,
      gas: 100_000n,
      to,
      value: 0n,
      data: '0xdeadbeef',
    })
    expect(await parseSignedTransaction(await assemble(() => {}))).toMatchObject({ hash: keccak256(raw) })
  })

  const refused: Record<string, () => Hex | Promise<Hex>> = {
    'no bytes': () => '0x',
    'not hex': () => '0xzz' as Hex,
    'half a byte': () => '0x02f' as Hex,
    'only a type': () => '0x02',
    legacy: () =>
      account.signTransaction({ type: 'legacy', chainId: 31337, nonce: 7, gas: 100_000n, gasPrice: 1n, to }),
    'access list type': () =>
      account.signTransaction({ type: 'eip2930', chainId: 31337, nonce: 7, gas: 100_000n, gasPrice: 1n, to }),
    'blob type': () => concat(['0x03', toRlp(['0x01'])]),
    'set-code type': () => concat(['0x04', toRlp(['0x01'])]),
    'unknown type': () => '0x7fc0',
    'empty list': () => '0x02c0',
    'a string for a list': () => '0x0283aabbcc',
    unsigned: () => serializeTransaction(plain),
    'trailing bytes': async () => concat([await sign(), '0x00']),
    'one byte short': async () => (await sign()).slice(0, -2) as Hex,
    'an access list': () => sign({ accessList: [{ address: to, storageKeys: [] }] }),
    'the access list is bytes': withField(8, '0x01'),
    'a nonce with leading zeros': withField(1, '0x0007'),
    'a nonce of a single zero byte': withField(1, '0x00'),
    'a list for a nonce': withField(1, ['0x07']),
    'no receiver': withField(5, '0x'),
    'a short receiver': withField(5, '0x1111'),
    'a thirteenth field': () =>
      assemble((f) => {
        f.push('0x01')
      }),
    'parity 2': withField(9, '0x02'),
    'parity 27': withField(9, '0x1b'),
    'zero r': withField(10, '0x'),
    'r past the order': withField(10, `0x${'ff'.repeat(32)}`),
    'zero s': withField(11, '0x'),
    'high s': () =>
      assemble((f) => {
        const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
        f[9] = f[9] === '0x' ? '0x01' : '0x'
        f[11] = `0x${(order - BigInt(f[11] as Hex)).toString(16)}`
      }),
    'a priority fee above the fee': withField(2, '0x77359401'),
    'gas past 64 bits': withField(4, `0x01${'00'.repeat(8)}`),
    'value past 256 bits': withField(6, `0x01${'00'.repeat(32)}`),
    'a length written long': async () => {
      const raw = await sign()
      // f8 LL … becomes f9 00 LL …: the same list, not canonical.
      return `0x02f900${raw.slice(6)}` as Hex
    },
    'deeply nested lists': () => `0x02${'c1'.repeat(5000)}c0` as Hex,
    'a megabyte': () => `0x02${'00'.repeat(1 << 20)}` as Hex,
  }

  for (const [what, make] of Object.entries(refused)) {
    it(`refuses ${what}`, async () => {
      const raw = await make()
      await expect(parseSignedTransaction(raw)).rejects.toBeInstanceOf(InvalidTransaction)
    })
  }

  it('returns a defined result for every truncated or corrupted transaction', async () => {
    const raw = await sign()
    for (let at = 4; at < raw.length; at += 2) {
      const flipped = `${raw.slice(0, at)}${raw[at] === 'f' ? '0' : 'f'}${raw.slice(at + 1)}` as Hex
      for (const bytes of [raw.slice(0, at) as Hex, flipped]) {
        const outcome = await parseSignedTransaction(bytes).catch((error: unknown) => error)
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(InvalidTransaction)
        else expect(outcome).not.toMatchObject({ hash: keccak256(raw) })
      }
    }
  })
})
