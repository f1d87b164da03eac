import { relative } from 'node:path'
import { toHex } from 'viem'
import { isDevChainId } from '../../lib/domain/dev-chain.ts'
import { devAccount } from './contracts.ts'
import type { Endpoints } from './stack.ts'

const SHOWN_ACCOUNTS = 3

/** The block that tells a newcomer where everything is. */
export function describeEndpoints(endpoints: Endpoints, logs: string, seconds: number): string {
  const rows: [string, string][] = [
    ['Site', endpoints.site],
    ['Chain API', endpoints.chainApi],
    ['Services API', endpoints.servicesApi],
    ['Worker', `${endpoints.worker} (/healthz, /readyz, /metrics)`],
    ['Chain RPC', `${endpoints.chainRpc} (chain id ${endpoints.chainId})`],
    ['Registry', endpoints.registry],
    ['Runner', endpoints.runner],
  ]
  const lines = [
    '',
    `Weft is ready after ${seconds.toFixed(1)} s.`,
    '',
    ...rows.map(([label, value]) => `  ${label.padEnd(13)} ${value}`),
  ]
  if (isDevChainId(endpoints.chainId)) {
    lines.push(
      '',
      '  Funded accounts of the development chain. Their keys are public: never send them anything of value.',
    )
    for (let index = 1; index <= SHOWN_ACCOUNTS; index++) {
      const { address, key } = accountWithKey(index)
      lines.push(`  ${address}  ${key}`)
    }
  }
  lines.push('', `  Logs are in ${shortPath(logs)}. Ctrl-C stops everything; the data stays.`, '')
  return lines.join('\n')
}

function accountWithKey(index: number): { address: string; key: string } {
  const account = devAccount(index)
  const key = account.getHdKey().privateKey
  return { address: account.address, key: key ? toHex(key) : '' }
}

function shortPath(path: string): string {
  const short = relative('', path)
  return short.startsWith('..') ? path : short
}
