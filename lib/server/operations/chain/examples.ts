import type { OperationExamples } from '../../http/openapi.ts'

/*
 * One example for each operation: the small connector `pitch`, which counts up from zero, drafted, run and published.
 * The tests hold them against the schemas.
 */

const OWNER = 'f39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const FORMAT = '4e5aa46feeb2db48b7df17d424f29bfdee2ccbfdf2433a99da6be58d3c9e3101'
const CONNECTOR_ADDRESS = '0x8f3ac1f9a0e1b3d24f5c0a7d9e6b2c4158ad7e90'
const CONTENT_HASH = '0x2b7d3c5f0e9a84611f6e0d3a7c58b9e2f4a6c8d0e1b3957f2a4c6e8d0b1f3a5c'
const TX_HASH = '0x91c7e5a3f2d4b6c8e0a1b3d5f7092846cadb1e3f5a7c9d0b2e4f6a8c1d3b5e7f'
const BLOCK_HASH = '0x5d1e3f7a9c0b2d4f6e8a1c3b5d7f9e0a2c4b6d8f1e3a5c7b9d0f2e4a6c8b1d3f'
const REGISTRY = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const RUNNER = '0xe7f1725e7734ce288f8367e1bb143e90b3f0512e'
/** Signature of no real key. */
const SIGNATURE = `0x${'1b'.repeat(32)}${'2c'.repeat(32)}1b`
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIweGYzOWYifQ.c2lnbmF0dXJl'

const LAST_PAGE = { has_more: false, next_after: null }
const DIMENSIONS = [{ transformations: [{ name: 'add', args: [1] }], composite: '', bindings: {} }]
const RUN = { connector_name: 'pitch', particles_count: 12 }
const PARTICLES = [{ path: '/pitch:0', data: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }]
const PUBLICATION = { name: 'pitch', content_hash: CONTENT_HASH }
const MINED = {
  kind: 'connector',
  name: 'pitch',
  address: CONNECTOR_ADDRESS,
  owner: `0x${OWNER}`,
  content_hash: CONTENT_HASH,
}

const STREAM = `: min_available_seq=1

id: 1
event: connector_added
data: {"stream_seq":1,"event_type":"connector_added","status":"observed","feed_id":"31337:connector_added:pitch","history_cursor":"000000000000042-00000000-00000000","created_at_ms":1767225600000,"payload":{"type":"connector","name":"pitch","owner":"0x${OWNER}"}}

event: stream_meta
data: {"has_more":false,"last_seq":1,"requested_since_seq":0,"min_available_seq":1,"replay_floor_seq":1,"stale_since_seq":false}

`

export const chainExamples: OperationExamples = {
  GET_version: { response: { build_timestamp: '2026-03-01T12:00:00.000Z', version: '0.4.0' } },
  GET_nonce: { response: { nonce: '309485009821345068724781056123456789012' } },
  POST_auth: {
    request: {
      address: OWNER,
      message: 'Login nonce: 309485009821345068724781056123456789012',
      signature: SIGNATURE,
    },
    response: { access_token: TOKEN },
  },
  GET_accounts: { response: { limit: 50, total_accounts: 1, cursor: LAST_PAGE, accounts: [OWNER] } },
  GET_accountInfo: {
    response: {
      address: OWNER,
      limit: 50,
      owned_connectors: ['pitch'],
      owned_transformations: ['add'],
      owned_conditions: ['threshold'],
      cursor_connectors: LAST_PAGE,
      cursor_transformations: LAST_PAGE,
      cursor_conditions: LAST_PAGE,
    },
  },
  GET_connector: {
    response: {
      name: 'pitch',
      dimensions: DIMENSIONS,
      condition_name: '',
      condition_args: [],
      static_ri: {},
      owner: OWNER,
      address: CONNECTOR_ADDRESS,
      format_hash: FORMAT,
    },
  },
  POST_connector: {
    request: { name: 'pitch', dimensions: [{ transformations: [{ name: 'add', args: [1] }] }] },
    response: { name: 'pitch', owner: OWNER, address: '0x0', format_hash: FORMAT },
  },
  GET_transformation: {
    response: {
      name: 'add',
      args_count: 1,
      owner: OWNER,
      address: '0x3c5a1f7e9b0d2c4e6f8a1b3d5c7e9f0a2b4d6c8e',
    },
  },
  POST_transformation: {
    request: { name: 'add', sol_src: 'return x + args[0];' },
    response: { name: 'add', owner: OWNER, address: '0x0', args_count: 1 },
  },
  GET_condition: { response: { name: 'threshold', args_count: 2, owner: OWNER, address: '0x0' } },
  POST_condition: {
    request: { name: 'threshold', sol_src: 'return args[0] >= args[1];' },
    response: { name: 'threshold', owner: OWNER, address: '0x0', args_count: 2 },
  },
  GET_formats: { response: { limit: 50, total_formats: 1, cursor: LAST_PAGE, formats: [FORMAT] } },
  GET_format: {
    response: {
      format_hash: FORMAT,
      limit: 50,
      total_connectors: 1,
      cursor: LAST_PAGE,
      scalars: ['pitch:0'],
      connectors: ['pitch'],
    },
  },
  GET_feed: {
    response: {
      limit: 50,
      cursor: { has_more: false, next_before: null },
      items: [
        {
          feed_id: '31337:connector_added:pitch',
          event_type: 'connector_added',
          status: 'finalized',
          visible: true,
          tx_hash: TX_HASH,
          block_number: 42,
          tx_index: 0,
          log_index: 0,
          history_cursor: '000000000000042-00000000-00000000',
          created_at_ms: 1_767_225_600_000,
          updated_at_ms: 1_767_225_720_000,
          projector_version: 1,
          payload: { type: 'connector', name: 'pitch', owner: `0x${OWNER}` },
        },
      ],
    },
  },
  GET_feedStream: { response: STREAM },
  POST_simulate: { request: RUN, response: PARTICLES },
  POST_execute: {
    request: RUN,
    response: { block_number: 42, block_hash: BLOCK_HASH, runner: RUNNER, particles: PARTICLES },
  },
  POST_publishPrepare: {
    request: { name: 'pitch', relay: true },
    response: {
      status: 'prepared',
      kind: 'connector',
      name: 'pitch',
      transaction: {
        from: `0x${OWNER}`,
        to: REGISTRY,
        data: '0x5b1e8a40',
        chainId: '0x7a69',
        gas: '0x5f5e1',
      },
      address: CONNECTOR_ADDRESS,
      content_hash: CONTENT_HASH,
      publication_nonce: 0,
      deadline: 1_767_229_200,
      signing: {
        type: '0x2',
        nonce: '0x1',
        maxFeePerGas: '0x77359400',
        maxPriorityFeePerGas: '0x3b9aca00',
        value: '0x0',
      },
    },
  },
  POST_publishSend: {
    request: { ...PUBLICATION, raw_tx: '0x02f8b0827a69' },
    response: { status: 'pending', tx_hash: TX_HASH },
  },
  POST_publishConfirm: {
    request: { ...PUBLICATION, tx_hash: TX_HASH },
    response: { status: 'mined', ...MINED, tx_hash: TX_HASH, block_number: 42 },
  },
}
