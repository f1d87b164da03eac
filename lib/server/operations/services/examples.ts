import type { OperationExamples } from '../../http/openapi.ts'

/* One example for each operation; the tests hold them against the schemas. */

const ADA = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BEN = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** Signature of no real key. */
const SIGNATURE = `0x${'1b'.repeat(32)}${'2c'.repeat(32)}1b`

const MESSAGE = `weft.example wants you to sign in with your Ethereum account:
${ADA}

Sign in to Weft.

URI: https://weft.example
Version: 1
Chain ID: 31337
Nonce: 8f14e45fceea167a5a36dedd4bea2543
Issued At: 2026-03-01T12:00:00.000Z
Expiration Time: 2026-03-01T12:05:00.000Z`

const USER = {
  id: ADA,
  display_name: 'Ada',
  status: 'active',
  roles: ['user'],
  profile_json: { public: { nickname: 'Ada', bio: 'Weaves.', kind: 'human' } },
  created_at: '2026-03-01T12:00:00.000Z',
  updated_at: '2026-03-02T08:30:00.000Z',
  last_login_at: '2026-03-02T08:29:00.000Z',
}

const MANIFEST = {
  slug: 'night-loom',
  name: 'Night Loom',
  version: '0.1.0',
  description: 'Weaves pitch and time into light.',
  entryPath: 'index.html',
  runtime: 'iframe',
  surfaces: ['world-page'],
  permissions: ['dcn.connectors.read', 'dcn.execute'],
  acceptedFormatHashes: [],
  acceptedConnectorSets: [{ connectors: ['pitch', 'time'], optionalConnectors: [] }],
}
const HASHES = {
  bundleHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  manifestHash: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
}
const WORLD = {
  id: 'wld_4q2xk7m3p5r6s7t2u3v4',
  ...MANIFEST,
  entryUrn: '/world-assets/wld_4q2xk7m3p5r6s7t2u3v4/index.html',
  ownerId: ADA,
  ...HASHES,
  status: 'active',
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-01T12:00:00.000Z',
}

const PAGE = '<!doctype html>\n<title>Night Loom</title>\n'

export const servicesExamples: OperationExamples = {
  GET_health: { response: 'ok' },
  POST_authSiweChallenge: {
    request: { address: ADA, chain_id: 31337, app_origin: 'https://weft.example' },
    response: { message: MESSAGE, expires_at: '2026-03-01T12:05:00.000Z' },
  },
  POST_authSiweVerify: {
    request: { message: MESSAGE, signature: SIGNATURE },
    response: `${'3d'.repeat(32)}.${'4e'.repeat(32)}`,
  },
  GET_authMe: { response: USER },
  GET_users: { response: [BEN, ADA] },
  GET_user: { response: USER },
  PATCH_user: { request: { display_name: 'Ada' }, response: USER },
  GET_socialFollowing: { response: [BEN] },
  GET_socialFollowers: { response: [BEN] },
  POST_socialFollow: { request: { followed_id: BEN } },
  POST_socialUnfollow: { request: { followed_id: BEN } },
  GET_worlds: { response: [WORLD] },
  GET_world: { response: WORLD },
  POST_worldValidate: {
    response: { descriptor: MANIFEST, ...HASHES, warnings: ['The manifest names no preview image.'] },
  },
  POST_worldUpload: { response: WORLD },
  PATCH_world: { response: { ...WORLD, version: '0.2.0', updatedAt: '2026-03-02T08:30:00.000Z' } },
  GET_worldAsset: { response: PAGE },
  GET_sdkModule: { response: 'export { createWorldSdk }' },
}
