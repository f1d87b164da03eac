import { NoAnswer, Refusal } from '#lib/browser/requests.ts'
import { NoStorage } from './burner.ts'
import { PasskeyFailed } from './known-passkey.ts'
import { NoAccounts, WalletGone } from './open-wallets.ts'

/** The wallet request that failed. */
export type WalletAction = 'connect' | 'sign' | 'switch' | 'send'

/** Whether the user rejected the request in the wallet, or the change of the account that it needs (5750). */
export function isDeclined(error: unknown): boolean {
  return (
    codes(error).some((code) => code === 4001 || code === 5750) ||
    /user (rejected|denied|cancel)/i.test(messageOf(error))
  )
}

/** A method that the wallet does not have, or a batch of calls that it takes no part of (EIP-5792). */
const UNSUPPORTED: readonly number[] = [4200, -32601, -32004, 5700, 5710, 5740, 5760]

/** Whether the wallet cannot do what it was asked for, and has done nothing. */
export function isUnsupported(error: unknown): boolean {
  return codes(error).some((code) => UNSUPPORTED.includes(code))
}

/** Whether the wallet does not know the chain to switch to. */
function isUnknownChain(error: unknown): boolean {
  return codes(error).includes(4902)
}

/** A message that states what failed and what to do. */
export function walletErrorMessage(error: unknown, action: WalletAction, walletName: string): string {
  if (error instanceof NoAnswer) return 'This site does not answer. Check the connection and try again.'
  if (error instanceof Refusal) return refusalInWords(error)
  if (error instanceof PasskeyFailed) return error.message
  if (error instanceof NoStorage) {
    return 'This browser stores nothing for this site, so a throwaway wallet would be lost at once. Allow storage for this site, or leave private browsing.'
  }
  if (error instanceof WalletGone)
    return `${walletName} is no longer available. Enable it and reload this page.`
  if (error instanceof NoAccounts)
    return `${walletName} shows no account. Unlock it, choose one and try again.`
  if (isDeclined(error)) return DECLINED[action]
  if (isUnknownChain(error)) {
    return `${walletName} does not know this network and could not add it. Add it in the wallet's settings.`
  }
  if (codes(error).includes(-32002)) {
    return `${walletName} already has a request open. Open the wallet, answer the request, then try again.`
  }
  if (codes(error).some((code) => code === 4900 || code === 4901)) {
    return `${walletName} has lost its connection to the network. Check it and try again.`
  }
  if (codes(error).includes(4100)) {
    return `${walletName} does not let this page use the account. Connect it again and allow the account.`
  }
  const message = messageOf(error)
  if (/insufficient (funds|balance)|exceeds (the )?balance/i.test(message)) {
    return 'The account has too little of the currency for the fee. Send some to it, then try again.'
  }
  if (/replacement|underpriced|already known|nonce (is )?too low/i.test(message)) {
    return `An earlier transaction of this account is still on its way, or has just taken its place. Finish or speed it up in ${walletName}, then try again.`
  }
  return `${walletName} failed${message === '' ? '.' : `: ${sentence(message)}`} Try again, or use another wallet.`
}

const DECLINED: Readonly<Record<WalletAction, string>> = {
  connect: 'You declined in the wallet. Nothing has been shared.',
  sign: 'You declined to sign. Nothing has happened.',
  switch: 'You declined to switch. The wallet is still on its own network.',
  send: 'You declined to send. Nothing has been sent, and nothing has been paid.',
}

function refusalInWords({ status, message }: Refusal): string {
  if (status === 429)
    return 'Too many unfinished sign-ins of this account. Wait five minutes, then try again.'
  if (status >= 500) return 'The site cannot do this right now. Try again in a moment.'
  if (message !== '') return sentence(message)
  return `The site refused (${status}). Try again.`
}

function sentence(text: string): string {
  const first = text.trim().split('\n')[0]?.slice(0, 200) ?? ''
  return /[.!?]$/.test(first) ? first : `${first}.`
}

/** Codes of an error and of its causes: wallets and libraries wrap errors. */
function codes(error: unknown): number[] {
  const codes: number[] = []
  for (let each = error, depth = 0; typeof each === 'object' && each !== null && depth < 6; depth++) {
    if ('code' in each && typeof each.code === 'number') codes.push(each.code)
    each = 'cause' in each ? each.cause : undefined
  }
  return codes
}

function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('shortMessage' in error && typeof error.shortMessage === 'string') return error.shortMessage
  return 'message' in error && typeof error.message === 'string' ? error.message : ''
}
