import type { Change } from './changes.ts'

/** A manipulated certificate, and the code that every checker must give. */
export interface Case {
  readonly name: string
  readonly of: 'tree' | 'never'
  readonly changes: readonly Change[]
  readonly code: string
}

const [HEADER, SECOND_HEADER, REGISTRY, RUNNER, ANSWER, ROOT] = [0, 1, 2, 3, 4, 5]
const ELSEWHERE = `0x${'11'.repeat(20)}`
const OTHER_HASH = `0x${'22'.repeat(32)}`

/** Entities of `tree` in the order of its file, sections 5 to 11; nodes begin at 12. */
export const TREE = ['tree', 'powers', 'pair', 'hashed', 'mix', 'add', 'at_least'] as const
const NODES = ROOT + TREE.length

function entities(...names: readonly (readonly [string, string])[]): Change {
  return ['set', 'entities', names]
}
const NAMES = TREE.map(
  (name) =>
    [
      name === 'at_least' ? 'condition' : name === 'tree' || name === 'pair' ? 'connector' : 'transformation',
      name,
    ] as const,
)
function renamed(index: number, kind: string, name: string): Change {
  return entities(...NAMES.map((one, i) => (i === index ? ([kind, name] as const) : one)))
}

export const CASES: readonly Case[] = [
  // Code
  { name: 'a bit of a transformation', of: 'tree', changes: [['flip', ROOT + 4, 40]], code: 'tree_missing' },
  { name: 'a bit of the condition', of: 'tree', changes: [['flip', ROOT + 6, 1]], code: 'tree_missing' },
  {
    name: 'the last argument in the connector',
    of: 'tree',
    changes: [['flip', ROOT, -2]],
    code: 'root_address',
  },
  { name: 'the version of connector data', of: 'tree', changes: [['flip', ROOT, 1]], code: 'tree_data' },
  { name: 'the name inside connector data', of: 'tree', changes: [['flip', ROOT, 10]], code: 'tree_name' },
  {
    name: 'code of two parts swapped',
    of: 'tree',
    changes: [['swap', ROOT + 1, ROOT + 4]],
    code: 'tree_missing',
  },
  {
    name: "a bit of the registry's code",
    of: 'tree',
    changes: [['flip', REGISTRY, 3000]],
    code: 'registry_code',
  },
  { name: "a bit of the runner's code", of: 'tree', changes: [['flip', RUNNER, 3000]], code: 'runner_code' },
  {
    name: 'an ordinary contract as the registry',
    of: 'tree',
    changes: [
      ['take', 'tree', RUNNER, REGISTRY],
      ['set', 'chain.registry', '$runner'],
    ],
    code: 'registry_unknown',
  },
  {
    name: 'an ordinary contract as the runner',
    of: 'tree',
    changes: [
      ['take', 'tree', REGISTRY, RUNNER],
      ['set', 'chain.runner', '$registry'],
    ],
    code: 'runner_unknown',
  },
  // Proofs of storage and accounts
  { name: 'the last node dropped', of: 'tree', changes: [['drop', -1]], code: 'proof_missing' },
  { name: 'the first node dropped', of: 'tree', changes: [['drop', NODES]], code: 'proof_missing' },
  { name: 'a bit of the first node', of: 'tree', changes: [['flip', NODES, 20]], code: 'proof_missing' },
  { name: 'a bit of the last node', of: 'tree', changes: [['flip', -1, -1]], code: 'proof_missing' },
  { name: 'a node of no use', of: 'tree', changes: [['insert', 99, 'c20102']], code: 'nodes_unused' },
  { name: 'a node twice', of: 'tree', changes: [['copy', 'tree', -1, 99]], code: 'nodes_unused' },
  {
    name: 'a registry elsewhere',
    of: 'tree',
    changes: [['set', 'chain.registry', ELSEWHERE]],
    code: 'proof_missing',
  },
  {
    name: 'a runner elsewhere',
    of: 'tree',
    changes: [['set', 'chain.runner', ELSEWHERE]],
    code: 'proof_missing',
  },
  {
    name: 'a state of one empty account trie',
    of: 'tree',
    changes: [
      ['set', 'block.hash', '$emptied'],
      ['put', HEADER, '$emptied'],
    ],
    code: 'account_absent',
  },
  // Header
  { name: 'a bit of the state root', of: 'tree', changes: [['flip', HEADER, 100]], code: 'header_hash' },
  {
    name: 'another state root, sealed',
    of: 'tree',
    changes: [
      ['flip', HEADER, 100],
      ['seal', 'block', HEADER],
    ],
    code: 'proof_missing',
  },
  { name: 'a header cut short', of: 'tree', changes: [['cut', HEADER, 3]], code: 'header' },
  { name: 'no header', of: 'tree', changes: [['put', HEADER, '']], code: 'header' },
  { name: 'another number', of: 'tree', changes: [['set', 'block.number', 1]], code: 'header_number' },
  { name: 'another hash', of: 'tree', changes: [['set', 'block.hash', OTHER_HASH]], code: 'header_hash' },
  {
    name: 'SHA-3 in the place of Keccak',
    of: 'tree',
    changes: [['seal', 'block', HEADER, 'sha3-256']],
    code: 'header_hash',
  },
  {
    name: 'SHA-256 in the place of Keccak',
    of: 'tree',
    changes: [['seal', 'block', HEADER, 'sha256']],
    code: 'header_hash',
  },
  { name: 'another chain', of: 'tree', changes: [['set', 'chain.id', 1]], code: 'other_chain' },
  // Tree
  {
    name: 'a part left out',
    of: 'tree',
    changes: [['drop', ROOT + 2], entities(...NAMES.filter(([, name]) => name !== 'pair'))],
    code: 'tree_missing',
  },
  {
    name: 'a part too many',
    of: 'tree',
    changes: [['insert', NODES, '00'], entities(...NAMES, ['transformation', 'idle'])],
    code: 'tree_superfluous',
  },
  {
    name: 'a part twice',
    of: 'tree',
    changes: [['copy', 'tree', ROOT + 1, NODES], entities(...NAMES, ['transformation', 'powers'])],
    code: 'tree_twice',
  },
  {
    name: 'another name for a part',
    of: 'tree',
    changes: [renamed(1, 'transformation', 'power')],
    code: 'tree_missing',
  },
  {
    name: 'another kind for a part',
    of: 'tree',
    changes: [renamed(6, 'transformation', 'at_least')],
    code: 'tree_missing',
  },
  {
    name: 'another order',
    of: 'tree',
    changes: [['swap', ROOT, ROOT + 1], entities(NAMES[1]!, NAMES[0]!, ...NAMES.slice(2))],
    code: 'tree_root',
  },
  {
    name: 'a part in the place of the whole',
    of: 'tree',
    changes: [['swap', ROOT, ROOT + 2], entities(NAMES[2]!, NAMES[1]!, NAMES[0]!, ...NAMES.slice(3))],
    code: 'tree_superfluous',
  },
  {
    name: 'the name of another connector',
    of: 'tree',
    changes: [['set', 'connector', 'pair']],
    code: 'proof_missing',
  },
  // Numbers
  { name: 'more particles', of: 'tree', changes: [['set', 'count', 17]], code: 'values' },
  { name: 'another start', of: 'tree', changes: [['set', 'starts', [[0, 1, 0]]]], code: 'values' },
  {
    name: 'a start that the definition fixes',
    of: 'tree',
    changes: [['set', 'starts', [[1, 1, 0]]]],
    code: 'outcome',
  },
  { name: 'a bit of a value', of: 'tree', changes: [['flip', ANSWER, -40]], code: 'values' },
  { name: 'an answer cut short', of: 'tree', changes: [['cut', ANSWER, 32]], code: 'values' },
  {
    name: 'the answer of another run',
    of: 'tree',
    changes: [['take', 'never', ANSWER, ANSWER]],
    code: 'values',
  },
  { name: 'values called a rejection', of: 'tree', changes: [['set', 'result', 'revert']], code: 'outcome' },
  {
    name: 'a rejection called values',
    of: 'never',
    changes: [['set', 'result', 'particles']],
    code: 'outcome',
  },
  { name: 'another reason', of: 'never', changes: [['flip', ANSWER, -1]], code: 'reason' },
  // A block that would be read
  {
    name: 'a block that the run would read',
    of: 'tree',
    changes: [['set', 'ran_at', { number: 1, hash: OTHER_HASH }]],
    code: 'format',
  },
  {
    name: 'the header of such a block',
    of: 'tree',
    changes: [['take', 'tree', HEADER, SECOND_HEADER]],
    code: 'packed',
  },
  // The file
  { name: 'a field too many', of: 'tree', changes: [['set', 'proven', true]], code: 'format' },
  { name: 'another version', of: 'tree', changes: [['set', 'format', 'weft-certificate-2']], code: 'format' },
  { name: 'no source', of: 'tree', changes: [['set', 'sources', []]], code: 'format' },
  {
    name: 'a source that turns the text',
    of: 'tree',
    changes: [['set', 'sources', ['\u202ea.example']]],
    code: 'format',
  },
  { name: 'a count that is text', of: 'tree', changes: [['set', 'count', '16']], code: 'format' },
  { name: 'bytes that are no base64', of: 'tree', changes: [['set', 'packed', 'AAA*']], code: 'packed' },
  { name: 'bytes that are not compressed', of: 'tree', changes: [['set', 'packed', 'AAAA']], code: 'packed' },
]
