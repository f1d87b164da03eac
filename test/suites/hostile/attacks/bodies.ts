import type { Hex } from '#lib/protocol/entity.ts'
import { LOOKING_BODIES } from '../../differential/bytecodes.ts'
import { type Attack, choice } from '../attack.ts'
import { answering, assemble } from '../evm.ts'
import { codeContent } from '../publications.ts'
import { connectorOver } from './entities.ts'

const STEP = '4 CALLDATALOAD 1 ADD 0 MSTORE 32 0 RETURN'
/** Hand-made code under a connector: what running it may cost the simulator and the node. */
function bodies(runner: string, registry: string, bytes: number): Hex[] {
  return [
    'here: @here JUMP',
    `here: ${bytes} 0 KECCAK256 POP @here JUMP`,
    `${bytes} 0 RETURN`,
    `${bytes} 0 REVERT`,
    'STOP',
    '31 0 RETURN',
    // Error(string) whose length is a lie, and whose text is long.
    `0x08c379a0${'00'.repeat(28)} 0 MSTORE 32 4 MSTORE ${bytes} 0x24 MSTORE ${bytes} 0 REVERT`,
    `0x08c379a0${'00'.repeat(28)} 0 MSTORE 0x${'ff'.repeat(32)} 4 MSTORE 0x44 0 REVERT`,
    // Errors of the runner itself.
    `0x08c379a0${'00'.repeat(28)} 0 MSTORE 32 4 MSTORE 21 0x24 MSTORE 0x${Buffer.from('cannot find connector').toString('hex').padEnd(64, '0')} 0x44 MSTORE 0x64 0 REVERT`,
    answering('TIMESTAMP'),
    answering('NUMBER'),
    answering('BASEFEE'),
    answering('PREVRANDAO'),
    answering('COINBASE'),
    answering('GASLIMIT'),
    answering('CHAINID'),
    answering('BLOBBASEFEE'),
    answering('0 BLOBHASH'),
    answering('1 NUMBER SUB BLOCKHASH'),
    answering('GAS'),
    answering('GASPRICE'),
    answering('SELFBALANCE'),
    answering('ORIGIN'),
    answering('CALLER'),
    answering('ADDRESS'),
    answering('ADDRESS EXTCODEHASH'),
    answering(`${registry} EXTCODESIZE`),
    answering(`${runner} BALANCE`),
    answering('CALLDATASIZE'),
    answering('CODESIZE'),
    answering('MSIZE'),
    answering('0 SLOAD'),
    answering('0 TLOAD'),
    answering('0 CALLDATALOAD 224 SHR'),
    answering('0x44 CALLDATALOAD'),
    // The point evaluation precompile, and one that is dear.
    answering('0 0 0 0 0x0a GAS STATICCALL'),
    answering('32 0 192 0 0x05 GAS STATICCALL'),
    answering(`32 0 4 0 ${registry} GAS STATICCALL RETURNDATASIZE ADD`),
    // Calls the runner again, which calls this again.
    `CALLDATASIZE 0 0 CALLDATACOPY 0x20 0 CALLDATASIZE 0 CALLER GAS STATICCALL POP ${STEP}`,
    `CALLDATASIZE 0 0 CALLDATACOPY 0x20 0 CALLDATASIZE 0 ADDRESS GAS STATICCALL POP ${STEP}`,
    // More, or less, than was requested.
    `${answering('7').replace('2 SHL 0 RETURN', `2 SHL ${bytes} ADD 0 RETURN`)}`,
    '1 0 SSTORE STOP',
    '0 0 LOG4',
    '0xfffffffffffffff0 MLOAD STOP',
    `0x${'ff'.repeat(32)} 0 RETURN`,
  ].map(assemble)
}

const BODIES = bodies(`0x${'11'.repeat(20)}`, `0x${'11'.repeat(20)}`, 1).length

const handMadeBodies: Attack = {
  name: 'hand-made bodies',
  weight: 4,
  parameters: { body: [0, BODIES - 1], bytes: [1, 3_000_000], kind: [0, 1] },
  build(scene, { body, bytes = 1, kind }) {
    const runtime = choice(bodies(scene.runner, scene.registry, bytes), body)
    const content = codeContent(kind === 1 ? 'condition' : 'transformation', scene.name('body'), 0, runtime)
    return [scene.direct(scene.publishes(content)), ...connectorOver(scene, content)]
  },
}

/** Bodies that cost much, or fail. */
const COSTLY_BODIES = [
  'while (true) { x = x + 1; if (x == 0) break; } return x;',
  'for (uint256 i = 0; i < 100000000; i++) { x ^= uint32(i * i); } return x;',
  'assembly { revert(0, 1000000) } return x;',
  'revert(string(new bytes(100000))); return x;',
  'uint32[] memory a = new uint32[](x * 1000 + 100000); return a[0] + x + 1;',
  'require(x < 3, "three is too many"); return x + 1;',
  'return x / (x - x);',
  'assembly { x := shl(32, 1) } return x;',
  'assembly { x := not(0) } return x + 0;',
]

/** Such bodies, and bodies that read their environment, drafted and published through the ordinary API. */
const compiledBodies: Attack = {
  name: 'compiled bodies',
  weight: 3,
  parameters: { body: [0, LOOKING_BODIES.length - 1], costly: [0, 1] },
  async build(scene, { body, costly }) {
    const name = scene.name('looks')
    const source = choice(costly === 1 ? COSTLY_BODIES : LOOKING_BODIES, body)
    const transaction = await scene.prepared('transformation', name, source)
    const content = scene.lookup('transformation', name)
    if (transaction === undefined || content === undefined) return []
    return [transaction, ...connectorOver(scene, content)]
  },
}

export const bodyAttacks: readonly Attack[] = [handMadeBodies, compiledBodies]
