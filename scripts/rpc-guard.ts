/**
 * Stands in front of the development chain of `deploy/compose.yaml`, at port 8545: CHAIN_RPC_URL is the node, SITE_ORIGIN
 * whose pages may use it.
 */
import { startRpcGuard } from './stack/rpc-guard.ts'

const { CHAIN_RPC_URL: target, SITE_ORIGIN: origin } = process.env
if (!target || !origin) throw new Error('Set CHAIN_RPC_URL and SITE_ORIGIN')
const guard = await startRpcGuard({ port: 8545, host: '0.0.0.0', target, origins: [origin] })
process.once('SIGTERM', () => void guard.close())
