/**
 * Signs with PRIVATE_KEY, for shell scripts.
 *
 *   sign.ts address                 prints the account
 *   sign.ts message "text"          prints an EIP-191 signature
 *   sign.ts transaction < prepared  prints the signed transaction of a relay prepare
 */
import { hexToBigInt, hexToNumber, isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const key = process.env.PRIVATE_KEY
if (!isHex(key)) throw new Error('Set PRIVATE_KEY to the hex private key that shall sign')
const account = privateKeyToAccount(key)
const [command, text] = process.argv.slice(2)

if (command === 'address') console.log(account.address)
else if (command === 'message') console.log(await account.signMessage({ message: text ?? '' }))
else if (command === 'transaction') console.log(await signPrepared())
else throw new Error('Say what to sign: address, message or transaction')

async function signPrepared(): Promise<string> {
  let input = ''
  for await (const chunk of process.stdin) input += chunk
  const { transaction, signing } = JSON.parse(input)
  return account.signTransaction({
    type: 'eip1559',
    to: transaction.to,
    data: transaction.data,
    chainId: hexToNumber(transaction.chainId),
    gas: hexToBigInt(transaction.gas),
    value: hexToBigInt(signing.value),
    nonce: hexToNumber(signing.nonce),
    maxFeePerGas: hexToBigInt(signing.maxFeePerGas),
    maxPriorityFeePerGas: hexToBigInt(signing.maxPriorityFeePerGas),
  })
}
