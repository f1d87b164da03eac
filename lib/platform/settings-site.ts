import {
  address,
  chainId,
  contactUrl,
  featuredNames,
  flag,
  httpUrl,
  list,
  origin,
  secret,
  sisterSites,
  siteText,
  text,
} from './config-checks.ts'
import { env } from './setting.ts'

/** Settings of pages, accounts and sign-in. */
export const SITE_SETTINGS = {
  /** Origin of the site as users type it. Default: `http://localhost:<port>`. */
  siteOrigin: env('SITE_ORIGIN', origin.optional()),
  /** Origin that Worlds are loaded from, which must lead to this site. Default: the site's own. */
  assetOrigin: env('ASSET_ORIGIN', origin.optional()),
  /** Other origins whose pages may show Worlds in frames. Default: none. */
  worldFrameAncestors: env('WORLD_FRAME_ANCESTORS', list(origin).default([])),

  // The operator's own words and choices
  site: {
    /** Name of the site, as its pages show it. */
    name: env('SITE_NAME', siteText(40).default('Weft')),
    /** First sentence of the home page. Default: what Weft is. */
    sentence: env('SITE_SENTENCE', siteText(200).optional()),
    /** Page about the operator that the footer links to. */
    imprint: env('SITE_IMPRINT', httpUrl.optional()),
    /** Page about privacy that the footer links to. */
    privacy: env('SITE_PRIVACY', httpUrl.optional()),
    /** Page or `mailto:` address that the footer links to. */
    contact: env('SITE_CONTACT', contactUrl.optional()),
  },
  /** Sites of other chains, which pages of entities lead to. */
  sisterSites: env('SISTER_SITES', sisterSites.default([])),
  /** Names of connectors and slugs of Worlds that pages and the studio show first, each in this order. */
  featured: env('FEATURED', featuredNames.default({ connectors: [], worlds: [] })),
  /** Buttons on the feed page that mine and reorg a development chain on this machine. */
  devPanel: env('DEV_PANEL', flag.default(true)),
  /** Publish the example network at start. */
  exampleNetwork: env('EXAMPLE_NETWORK', flag.default(true)),
  /** Development only: webhooks may reach this machine itself, over `http` and at any port. */
  webhooksAllowLoopback: env('WEBHOOKS_ALLOW_LOOPBACK', flag.default(false)),

  // Accounts and sign-in
  /** Key that signs access tokens of the chain API, at least 32 bytes. */
  chainTokenKey: env('CHAIN_TOKEN_KEY', secret.optional(), { secret: true }),
  /** Key that seals the session cookie of the site, at least 32 bytes. */
  sessionKey: env('SESSION_KEY', secret.optional(), { secret: true }),
  /** Offers WalletConnect beside the browser's wallets. */
  walletConnectProjectId: env(
    'WALLETCONNECT_PROJECT_ID',
    text(/^[0-9a-fA-F]{32}$/, 'must be 32 hex digits, as cloud.reown.com shows them').optional(),
  ),
  /** Accounts with the role of an administrator. */
  adminAddresses: env('ADMIN_ADDRESSES', list(address).default([])),
  /** Origins that may use session endpoints. Default: the site's own. */
  allowedOrigins: env('ALLOWED_ORIGINS', list(origin).default([])),
  /** Chain ids that sign-in messages may name. By default CHAIN_ID too. */
  allowedChainIds: env('ALLOWED_CHAIN_IDS', list(chainId).default([1, 11_155_111, 1337, 31_337])),
}
