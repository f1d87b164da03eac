import { type Environment, has } from './config-checks.ts'

/** Settings of earlier releases whose feature is gone, and what to do instead. */
const GONE: readonly (readonly [name: RegExp, instead: string])[] = [
  [
    /^NODE_CALLS_PER_DAY$/,
    "name a second node in CHAIN_RPC_URL, which answers while the first one's plan is used up",
  ],
  [
    /^(ETHERSCAN_API_KEY|ETHERSCAN_URL|BLOCKSCOUT_URL)$/,
    'set SOURCIFY_URL, whose server forwards the sources to block explorers',
  ],
  [
    /^(CHAINS|(CHAIN_RPC_URL|DEPLOYMENT_BLOCK)_\d+)$/,
    'run one deployment for each chain, with a database of its own; SISTER_SITES links them',
  ],
  [/^STUDIO_OFFLINE$/, 'leave it so: what people make stays in their browsers without it'],
  [/^(SMTP_URL|MAIL_FROM)$/, 'point people to their notices on the site; programs receive webhooks'],
]

/** Returns a problem for each variable that is set and no longer exists. */
export function problemsOfGone(env: Environment): string[] {
  return Object.keys(env).flatMap((variable) => {
    const [, instead] = GONE.find(([name]) => name.test(variable)) ?? []
    return instead !== undefined && has(env, variable)
      ? [`${variable} no longer exists: unset it and ${instead} (docs/upgrading.md)`]
      : []
  })
}
