import { createPublicClient, http } from 'viem'
import { expect, test } from 'vitest'
import { evmCall } from '#lib/chain/evm-call.ts'
import { readReceipt } from '#lib/core/entities/publication/chain-state.ts'
import { testChain } from '#test/support/chain.ts'

/** Errors of another copy of viem: the same names and fields, of classes unknown here. */
class RpcRequestError extends Error {
  override readonly name = 'RpcRequestError'
  readonly code = 3
  readonly data = '0x'
  readonly details = 'execution reverted'
  readonly shortMessage = 'RPC Request failed.'
}
class CallExecutionError extends Error {
  override readonly name = 'CallExecutionError'
}
class TransactionReceiptNotFoundError extends Error {
  override readonly name = 'TransactionReceiptNotFoundError'
}

test('a client of another copy of viem is understood', async () => {
  const chain = await testChain()
  try {
    const client = createPublicClient({ transport: http(chain.url) })
    const foreign = {
      ...client,
      request: () => Promise.reject(new CallExecutionError('call', { cause: new RpcRequestError('no') })),
      getTransactionReceipt: () => Promise.reject(new TransactionReceiptNotFoundError('none')),
    } as unknown as typeof client
    expect(await evmCall(foreign, { to: chain.runner, data: '0x' })).toEqual({
      ok: false,
      cause: 'revert',
      revertData: '0x',
    })
    expect(await readReceipt(foreign, `0x${'12'.repeat(32)}`)).toBeUndefined()
  } finally {
    await chain.close()
  }
})
